import type { Created } from '@lyceum/collections';
import { ApiError, errorOr } from '@lyceum/errors';
import type { Place } from './curriculum.repository.js';

/** The place of a new part below its parent, in a course that limits the number of its parts. */
export interface PlaceInCourse extends Place {
  readonly course_id: string;
}

interface Steps<Item, Values, Row> {
  readonly parentOf: (item: Item) => string;
  /** Locks the course of a parent, and returns the place after the last part. */
  readonly placeIn: (parent: string) => Promise<PlaceInCourse>;
  /** @throws ApiError for an item that is refused */
  readonly valuesOf: (item: Item, place: PlaceInCourse) => Values;
  readonly insert: (list: readonly Values[]) => Promise<readonly (Created<Row> | ApiError)[]>;
}

/** Inserts many parts, each behind the one before it. Returns the error of each item that is refused. */
export async function insertParts<Item, Values extends object, Row>(
  items: readonly Item[],
  { parentOf, placeIn, valuesOf, insert }: Steps<Item, Values, Row>,
): Promise<readonly (Created<Row> | ApiError)[]> {
  const places = new Map<string, PlaceInCourse | ApiError>();
  // In the order of ids, so that two requests do not deadlock.
  for (const parent of [...new Set(items.map(parentOf))].toSorted()) {
    places.set(parent, await placeIn(parent).catch(apiErrorOf));
  }
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

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
