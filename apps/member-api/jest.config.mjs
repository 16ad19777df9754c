import preset from '../../jest.preset.mjs';
import { infrastructure } from '@lyceum/testing/jest';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  ...infrastructure({ auth: true }),
  // A hook starts the whole service and signs people in.
  testTimeout: 60_000,
};
