import preset from '../../jest.preset.mjs';

export default { ...preset, rootDir: import.meta.dirname, globalSetup: './setup/jest-build.mjs' };
