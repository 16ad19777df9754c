import { builtModules } from '@lyceum/testing/jest';
import preset from '../jest.preset.mjs';
import configuration from './jest.config.mjs';

/** For suites that need no stack. */
export default { ...configuration, globalTeardown: undefined, ...builtModules(preset) };
