import { Outgoing } from './outgoing.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('publishes at the end of the turn, all together and in order', async () => {
  const outgoing = new Outgoing();
  const published: number[] = [];
  for (const n of [1, 2, 3]) outgoing.add(() => published.push(n));
  await Promise.resolve();
  expect(published).toEqual([]);
  await turn();
  expect(published).toEqual([1, 2, 3]);
});

it('defers publications that are added while it publishes to the next turn', async () => {
  const outgoing = new Outgoing();
  const published: string[] = [];
  outgoing.add(() => {
    published.push('first');
    outgoing.add(() => published.push('second'));
  });
  outgoing.flush();
  expect(published).toEqual(['first']);
  await turn();
  expect(published).toEqual(['first', 'second']);
});

it('publishes immediately, and once, on flush', async () => {
  const outgoing = new Outgoing();
  let published = 0;
  outgoing.add(() => (published += 1));
  outgoing.flush();
  expect(published).toBe(1);
  await turn();
  expect(published).toBe(1);
});
