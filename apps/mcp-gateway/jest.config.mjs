import preset from '../../jest.preset.mjs';

/** No infrastructure of the run: these suites have a NATS server each, and play auth themselves. */
export default { ...preset, rootDir: import.meta.dirname };
