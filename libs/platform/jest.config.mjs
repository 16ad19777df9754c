import preset from '../../jest.preset.mjs';

// Some suites start servers and processes; on a busy machine that takes its time.
export default { ...preset, rootDir: import.meta.dirname, testTimeout: 30_000 };
