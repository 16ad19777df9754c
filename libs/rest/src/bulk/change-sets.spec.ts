import { ApiError } from '@lyceum/errors';
import type { EntityManager } from 'typeorm';
import { changeInSets } from './change-sets.js';

interface Item {
  readonly id: string;
  readonly to: number;
}

type Nested = <T>(work: () => Promise<T>) => Promise<T>;

/** A transaction in which this function runs the work of savepoints. */
function transactionOf(nested: Nested): EntityManager {
  const tx = {
    queryRunner: {},
    transaction: <T>(work: (manager: EntityManager) => Promise<T>) => nested(() => work(tx)),
  } as EntityManager;
  return tx;
}

/** Values by id, whose changes a savepoint undoes. Negative values are refused, by a set as a whole. */
class Values {
  readonly calls: string[] = [];
  known = new Map<string, number>();

  change(items: readonly Item[]) {
    const tx = transactionOf(async (work) => {
      const before = new Map(this.known);
      return work().catch((error: unknown) => {
        this.known = before;
        throw error;
      });
    });
    const each = (_tx: EntityManager, { id, to }: Item) => {
      this.known.set(id, to);
      if (to < 0) return Promise.reject(new ApiError('validation_failed', `${id} is negative`));
      return Promise.resolve({ row: { id }, changed: true });
    };
    const all = (tx: EntityManager, set: readonly Item[]) => {
      this.calls.push(set.map(({ id }) => id).join(''));
      return Promise.all(set.map((item) => each(tx, item)));
    };
    const one = (tx: EntityManager, item: Item) => {
      this.calls.push(item.id);
      return each(tx, item);
    };
    return changeInSets(tx, items, { all, each: one });
  }
}

const item = (id: string, to = 1): Item => ({ id, to });
const numbered = (count: number, refused: readonly number[] = []): Item[] =>
  Array.from({ length: count }, (_, index) => item(`(${index})`, refused.includes(index) ? -1 : 1));
const outcomes = (results: readonly object[]) => results.map((one) => (one instanceof ApiError ? one.code : 'changed'));

it('changes different objects at once', async () => {
  const values = new Values();
  expect(outcomes(await values.change([item('a'), item('b'), item('c')]))).toEqual(['changed', 'changed', 'changed']);
  expect(values.calls).toEqual(['abc']);
});

it('changes an object that occurs twice in the order of its items', async () => {
  const values = new Values();
  await values.change([item('a', 1), item('b', 2), item('a', 3), item('c', 4), item('c', 5)]);
  expect(values.calls).toEqual(['ab', 'ac', 'c']);
  expect([...values.known]).toEqual([
    ['a', 3],
    ['b', 2],
    ['c', 5],
  ]);
});

it('returns the error of each refused item, and keeps the others', async () => {
  const values = new Values();
  const results = await values.change(numbered(50, [7, 30]));
  expect(outcomes(results).flatMap((one, index) => (one === 'changed' ? [] : [index]))).toEqual([7, 30]);
  expect([...values.known.values()].every((to) => to === 1)).toBe(true);
  expect(values.known.size).toBe(48);
});

it('tries a set with one refused item a few times, and not one by one', async () => {
  const values = new Values();
  await values.change(numbered(200, [100]));
  expect(values.calls.length).toBeLessThan(20);
});

it('changes the rest one by one after 16 refused sets', async () => {
  const values = new Values();
  const all = numbered(200).map(({ id }) => item(id, -1));
  expect(new Set(outcomes(await values.change(all)))).toEqual(new Set(['validation_failed']));
  const sets = values.calls.filter((call) => call.split(')').length > 2);
  expect([sets.length, values.calls.length]).toEqual([16, 216]);
});

it('throws an unexpected error', async () => {
  const fault = new Error('fault');
  const work = { all: () => Promise.reject(fault), each: () => Promise.reject(fault) };
  const tx = transactionOf((inner) => inner());
  for (const items of [numbered(2), numbered(1)]) {
    await expect(changeInSets(tx, items, work)).rejects.toBe(fault);
  }
});
