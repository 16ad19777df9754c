import swc from '@swc/jest';

/** Lets a file import modules through the environment, if it is `built-environment.mjs`. */
const PREFIX = '"use strict";require = globalThis.lyceumRequire?.(require, __filename) ?? require;';

export default {
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    return {
      ...transformer,
      process: (...file) => {
        const { code, ...rest } = transformer.process(...file);
        return { code: `${PREFIX}${code}`, ...rest };
      },
      getCacheKey: (...file) => `${transformer.getCacheKey(...file)}-${PREFIX.length}`,
    };
  },
};
