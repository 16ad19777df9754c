import preset from '../../jest.preset.mjs';
import { infrastructure } from '@lyceum/testing/jest';

export default { ...preset, rootDir: import.meta.dirname, ...infrastructure() };
