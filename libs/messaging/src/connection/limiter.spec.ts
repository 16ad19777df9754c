import { Limiter } from './limiter.js';

function task(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
  };
  return { run, finish: resolve };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('runs up to the limit, queues further tasks in order and refuses tasks beyond the queue', async () => {
  const limiter = new Limiter({ running: 2, waiting: 1 });
  const log: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => task(log, name));
  expect([a, b, c, d].map((one) => one && limiter.run(one.run))).toEqual([true, true, true, false]);
  expect(log).toEqual(['a begins', 'b begins']);
  b?.finish();
  await turn();
  expect(log).toEqual(['a begins', 'b begins', 'b ends', 'c begins']);
  expect(limiter.run(async () => undefined)).toBe(true);
});

test('resolves idle after the last running or queued task', async () => {
  const limiter = new Limiter({ running: 1, waiting: 5 });
  const log: string[] = [];
  const [a, b] = [task(log, 'a'), task(log, 'b')];
  limiter.run(a.run);
  limiter.run(b.run);
  let idle = false;
  void limiter.idle().then(() => (idle = true));
  a.finish();
  await turn();
  expect(idle).toBe(false);
  b.finish();
  await turn();
  expect(idle).toBe(true);
  await limiter.idle();
});
