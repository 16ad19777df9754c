import preset from '../../jest.preset.mjs';
import { infrastructure } from '../../libs/testing/jest.mjs';

export default { ...preset, rootDir: import.meta.dirname, ...infrastructure('postgres', 'nats', 'auth') };
