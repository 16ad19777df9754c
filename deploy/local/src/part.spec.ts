import type { Exit } from './child.js';
import { Part, type Death, type Running } from './part.js';

/** A process that lives in this test only. */
function process(): Running & { end(exit: Exit): void } {
  const { promise: exited, resolve: end } = Promise.withResolvers<Exit>();
  return {
    pid: 1,
    logFile: 'log',
    exited,
    end,
    stop: () => Promise.resolve(end({ code: 0, signal: null })),
    kill: () => Promise.resolve(end({ code: null, signal: 'SIGKILL' })),
  };
}

function part() {
  const launched: ReturnType<typeof process>[] = [];
  const deaths: Death[] = [];
  const made = new Part({
    name: 'auth',
    launch: () => {
      launched.push(process());
      return launched.at(-1)!;
    },
    onDeath: (death) => deaths.push(death),
  });
  return { part: made, launched, deaths };
}

describe('a part of the stack', () => {
  it('reports an end by itself, and starts again', async () => {
    const { part: auth, launched, deaths } = part();
    await auth.start();
    launched[0]!.end({ code: 1, signal: null });
    await launched[0]!.exited;
    await Promise.resolve();
    expect(deaths).toEqual([{ name: 'auth', code: 1, signal: null, logFile: 'log' }]);
    expect(auth.pid).toBeUndefined();
    await auth.start();
    expect(launched).toHaveLength(2);
  });

  it.each(['stop', 'kill'] as const)('reports no end after %s', async (way) => {
    const { part: auth, deaths } = part();
    await auth.start();
    await auth[way]();
    await Promise.resolve();
    expect(deaths).toEqual([]);
    expect(() => auth.current).toThrow('auth does not run');
  });

  it('starts once for repeated calls', async () => {
    const { part: auth, launched } = part();
    await auth.start();
    await auth.start();
    expect(launched).toHaveLength(1);
    await auth.restart();
    expect(launched).toHaveLength(2);
  });

  it('stops without effect when it does not run', async () => {
    const { part: auth } = part();
    await expect(auth.stop()).resolves.toBeUndefined();
  });
});
