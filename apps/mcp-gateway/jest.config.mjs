import preset from '../../jest.preset.mjs';
import { builtModules } from '@lyceum/testing/jest';

/** No infrastructure of the run: these suites have a NATS server each, and play auth themselves. */
export default { ...preset, rootDir: import.meta.dirname, ...builtModules(preset) };
