import { setImmediate } from 'node:timers/promises';
import { Turns } from './turns.js';

it('runs one piece of work in a turn of the event loop, in the order of the calls', async () => {
  const turns = new Turns();
  const done: number[] = [];
  for (let piece = 0; piece < 3; piece += 1) void turns.run(() => void done.push(piece));
  expect(done).toEqual([]);
  const seen: number[][] = [];
  while (done.length < 3) {
    await setImmediate();
    seen.push([...done]);
  }
  expect(seen.map(({ length }) => length)).toEqual([1, 2, 3]);
  expect(done).toEqual([0, 1, 2]);
});

it('runs work that other work adds in a later turn, and goes on after an idle time', async () => {
  const turns = new Turns();
  const done: string[] = [];
  void turns.run(() => {
    done.push('first');
    void turns.run(() => void done.push('second'));
  });
  await setImmediate();
  expect(done).toEqual(['first']);
  await setImmediate();
  expect(done).toEqual(['first', 'second']);
  void turns.run(() => void done.push('third'));
  await setImmediate();
  expect(done).toEqual(['first', 'second', 'third']);
});

it('rejects with the error of its work, and goes on', async () => {
  const turns = new Turns();
  const failed = turns.run(() => {
    throw new Error('damaged');
  });
  const next = turns.run(() => undefined);
  await expect(failed).rejects.toThrow('damaged');
  await next;
});
