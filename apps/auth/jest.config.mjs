import preset from '../../jest.preset.mjs';
import { infrastructure } from '@lyceum/testing/jest';

// A start of the whole service takes a second, and much longer on a machine that is busy with other suites.
export default { ...preset, rootDir: import.meta.dirname, ...infrastructure(), testTimeout: 60_000 };
