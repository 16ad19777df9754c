import preset from '../../jest.preset.mjs';
import { builtModules, infrastructure } from '@lyceum/testing/jest';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  ...builtModules(preset),
  ...infrastructure(),
};
