import { setImmediate } from 'node:timers/promises';
import { BoundedTasks } from './bounded-tasks.js';

const BOUNDS = { parallel: 2, waiting: 3 };

it('runs tasks up to the bound, lets others wait in order, and refuses more', async () => {
  const tasks = new BoundedTasks(BOUNDS);
  const started: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const results = gates.map(({ promise }, index) =>
    tasks.run(async () => {
      started.push(index);
      await promise;
      return index;
    }),
  );
  await setImmediate();
  expect(started).toEqual([0, 1]);
  await expect(tasks.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  gates[1]?.resolve();
  await setImmediate();
  expect(started).toEqual([0, 1, 2]);
  for (const { resolve } of gates) resolve();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

it('goes on after a task that fails', async () => {
  const tasks = new BoundedTasks({ parallel: 1, waiting: 1 });
  const failed = tasks.run(() => Promise.reject(new Error('broken')));
  const next = tasks.run(() => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await tasks.run(() => Promise.resolve('later'))).toBe('later');
});
