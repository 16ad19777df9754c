import preset from '../../jest.preset.mjs';
import { infrastructure } from '@lyceum/testing/jest';

// Servers and processes are started and killed: on a busy machine that takes its time.
export default { ...preset, rootDir: import.meta.dirname, testTimeout: 60_000, ...infrastructure() };
