import strict from 'node:assert/strict';
import type { Check } from './check.js';

let count = 0;

/** `node:assert/strict` for the rules themselves. It counts its calls. */
export const assert: typeof strict = new Proxy(strict, {
  apply(target, self: unknown, args: unknown[]): unknown {
    count += 1;
    return Reflect.apply(target, self, args);
  },
  get(target, name): unknown {
    count += 1;
    return Reflect.get(target, name) as unknown;
  },
});

/** Fails a check that asserts nothing: it cannot find anything, so its group makes it only where its rule applies. */
export function asserting({ name, run }: Check): Check {
  return {
    name,
    run: async () => {
      const before = count;
      await run();
      strict(count > before, `${name}: the check asserts nothing`);
    },
  };
}
