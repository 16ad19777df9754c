import preset from '../../jest.preset.mjs';
import { infrastructure } from '@lyceum/testing/jest';

export default { ...preset, rootDir: import.meta.dirname, testTimeout: 30_000, ...infrastructure() };
