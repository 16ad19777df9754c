import type { Created } from '@lyceum/collections';
import { ApiError, errorOr } from '@lyceum/errors';
import type { Place } from './curriculum.repository.js';

/** The place of a new part below its parent, in a course that limits the number of its parts. */
export interface PlaceInCourse extends Place {
  readonly course_id: string;
}

interface Steps<Item, Values, Row> {
  readonly parentOf: (item: Item) => string;
  /** Locks the courses of parents, and returns the place after the last part of each, or why it takes none. */
  readonly placesOf: (parents: readonly string[]) => Promise<ReadonlyMap<string, PlaceInCourse | ApiError>>;
  /** @throws ApiError for an item that is refused */
  readonly valuesOf: (item: Item, place: PlaceInCourse) => Values;
  readonly insert: (list: readonly Values[]) => Promise<readonly (Created<Row> | ApiError)[]>;
}

/** Inserts many parts, each behind the one before it. Returns the error of each item that is refused. */
export async function insertParts<Item, Values extends object, Row>(
  items: readonly Item[],
  { parentOf, placesOf, valuesOf, insert }: Steps<Item, Values, Row>,
): Promise<readonly (Created<Row> | ApiError)[]> {
  const places = await placesOf([...new Set(items.map(parentOf))]);
  const added = new Map<string, number>();
  const decided = items.map((item) =>
    errorOr(() => {
      const parent = parentOf(item);
      const place = places.get(parent);
      if (place === undefined || place instanceof ApiError) throw place ?? new Error(`${parent} has no place`);
      const { course_id } = place;
      const [below, within] = [added.get(parent) ?? 0, added.get(course_id) ?? 0];
      const values = valuesOf(item, {
        course_id,
        position: place.position + below,
        parts: place.parts + within,
      });
      added.set(course_id, within + 1).set(parent, below + 1);
      return values;
    }),
  );
  const made = [...(await insert(decided.flatMap((values) => (values instanceof ApiError ? [] : [values]))))];
  return decided.map((values) => {
    const outcome = values instanceof ApiError ? values : made.shift();
    if (outcome === undefined) throw new Error('An item has no result');
    return outcome;
  });
}

/** Works on each id in the order of ids, so that two requests do not deadlock. Returns the errors of refused ones. */
export async function eachInOrder<T>(
  ids: Iterable<string>,
  work: (id: string) => Promise<T>,
): Promise<ReadonlyMap<string, T | ApiError>> {
  const done = new Map<string, T | ApiError>();
  for (const id of [...new Set(ids)].toSorted()) done.set(id, await work(id).catch(apiErrorOf));
  return done;
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
