import swc from '@swc/jest';

/** Leaves it to `built-environment.mjs` to run the code of a file. */
const wrapped = (code) =>
  `globalThis.lyceumRun(${JSON.stringify(code)}, module, exports, require, __dirname, __filename, jest);`;

export default {
  createTransformer(options) {
    const transformer = swc.createTransformer({ ...options, sourceMaps: true });
    return {
      ...transformer,
      process: (...file) => {
        const { code, map } = transformer.process(...file);
        return { code: wrapped(code), map };
      },
      getCacheKey: (...file) => `${transformer.getCacheKey(...file)}-${wrapped('').length}`,
    };
  },
};
