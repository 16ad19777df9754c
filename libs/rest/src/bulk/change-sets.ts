import { ApiError } from '@lyceum/errors';
import { savepoint } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';

interface Changed {
  readonly row: { readonly id: string };
  readonly changed: boolean;
}

interface SetWork<Item, Done> {
  /** Works on different objects at once. An error that it throws may be that of any of them. */
  readonly all: (tx: EntityManager, items: readonly Item[]) => Promise<readonly (Done | ApiError)[]>;
  readonly each: (tx: EntityManager, item: Item) => Promise<Done>;
}

/** Items of a refused set that are worked on one by one; a larger set is halved. */
const SMALL = 8;
/** Refused sets of a request that are halved. All items after them are worked on one by one. */
const MAX_HALVED = 16;

/** Creates objects, with the results of creations one by one: an item that is refused leaves no trace. */
export function createInSets<Item, Done>(
  tx: EntityManager,
  items: readonly Item[],
  work: SetWork<Item, Done>,
): Promise<readonly (Done | ApiError)[]> {
  return inSets(tx, [items], work);
}

/**
 * Changes objects in the order of the items, with the results of changes one by one: each item sees the changes before
 * it, and an item that is refused leaves no trace. A set has each object once.
 */
export function changeInSets<Item extends { readonly id: string }, Done extends Changed>(
  tx: EntityManager,
  items: readonly Item[],
  work: SetWork<Item, Done>,
): Promise<readonly (Done | ApiError)[]> {
  return inSets(tx, setsOf(items), work);
}

async function inSets<Item, Done>(
  tx: EntityManager,
  sets: readonly (readonly Item[])[],
  work: SetWork<Item, Done>,
): Promise<readonly (Done | ApiError)[]> {
  let halved = 0;
  const results: (Done | ApiError)[] = [];
  for (const set of sets) results.push(...(await change(set)));
  return results;

  async function change(set: readonly Item[]): Promise<readonly (Done | ApiError)[]> {
    if (set.length > 1 && halved < MAX_HALVED) {
      const done = await orError(savepoint(tx, (inner) => work.all(inner, set)));
      if (!(done instanceof ApiError)) return done;
      halved += 1;
      if (set.length > SMALL) {
        const middle = Math.ceil(set.length / 2);
        return [...(await change(set.slice(0, middle))), ...(await change(set.slice(middle)))];
      }
    }
    return eachInSavepoint(tx, set, work.each);
  }
}

/** Works on one item after the other, each in a savepoint. Returns the error of each item that is refused. */
export async function eachInSavepoint<Item, Done>(
  tx: EntityManager,
  items: readonly Item[],
  work: (tx: EntityManager, item: Item) => Promise<Done>,
): Promise<readonly (Done | ApiError)[]> {
  const results: (Done | ApiError)[] = [];
  for (const item of items) results.push(await orError(savepoint(tx, (inner) => work(inner, item))));
  return results;
}

/** Splits items before each object that the set has already. */
function setsOf<Item extends { readonly id: string }>(items: readonly Item[]): readonly (readonly Item[])[] {
  const sets: Item[][] = [];
  let known = new Set<string>();
  for (const item of items) {
    const last = sets.at(-1);
    if (last === undefined || known.has(item.id)) {
      sets.push([item]);
      known = new Set([item.id]);
    } else {
      last.push(item);
      known.add(item.id);
    }
  }
  return sets;
}

async function orError<T>(work: Promise<T>): Promise<T | ApiError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
