import { setTimeout as sleep } from 'node:timers/promises';
import { PacedQueue } from './paced-queue.js';

const PACE = { share: 0.5, longestRest: 20 };

it('runs one piece of work at a time, in the order of the calls', async () => {
  const queue = new PacedQueue(PACE);
  const seen: string[] = [];
  const piece = (name: string) =>
    queue.run(async () => {
      seen.push(`${name} begins`);
      await sleep(1);
      seen.push(`${name} ends`);
    });
  await Promise.all(['a', 'b', 'c'].map(piece));
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('takes turns between senders that add a piece after each of theirs', async () => {
  const queue = new PacedQueue(PACE);
  const seen: string[] = [];
  const sender = async (name: string): Promise<void> => {
    for (let piece = 1; piece <= 3; piece += 1) await queue.run(async () => void seen.push(`${name}${piece}`));
  };
  await Promise.all([sender('a'), sender('b')]);
  expect(seen).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
});

/** Milliseconds between the end of a piece of work and the start of the next one. */
async function restAfter(worked: number): Promise<number> {
  const queue = new PacedQueue(PACE);
  let ended = 0;
  await queue.run(async () => {
    await sleep(worked);
    ended = performance.now();
  });
  let began = 0;
  await queue.run(async () => void (began = performance.now()));
  return began - ended;
}

it('rests as long as the work took at half of the time, up to a limit', async () => {
  const [short, long] = [await restAfter(10), await restAfter(100)];
  expect(short).toBeGreaterThan(8);
  expect(long).toBeGreaterThan(18);
  expect(long).toBeLessThan(90);
});

it('goes on after work that fails, whose error its caller gets', async () => {
  const queue = new PacedQueue(PACE);
  const failed = queue.run(async () => Promise.reject(new Error('The disk is full')));
  const next = queue.run(() => Promise.resolve());
  await expect(failed).rejects.toThrow('The disk is full');
  await expect(next).resolves.toBeUndefined();
});
