import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

/** Ids of the sections of a course and of their lectures, in their order. */
export type CurriculumOrder = readonly { readonly id: string; readonly lecture_ids: readonly string[] }[];

/** Missing ids that an error names. */
const MISSING_IDS = 20;

/** @throws `invalid_state` when a course has as many parts as it may have. */
export function requireRoom(kind: 'sections' | 'lectures', count: number): void {
  const limit = CURRICULUM_LIMITS[kind];
  if (count >= limit) throw new ApiError('invalid_state', `A course has at most ${limit} ${kind}`);
}

/**
 * An order names every section and every lecture of the course once. A lecture may stand in another section than
 * before.
 *
 * @throws `validation_failed` with the place of the first id that is unknown or occurs twice, or with the ids that
 * miss.
 */
export function requireWholeOrder(current: CurriculumOrder, order: CurriculumOrder): void {
  const sections = new Set(current.map(({ id }) => id));
  const lectures = new Set(current.flatMap(({ lecture_ids }) => lecture_ids));
  for (const [index, { id, lecture_ids }] of order.entries()) {
    take(sections, id, `/sections/${index}/id`, 'section');
    for (const [at, lecture] of lecture_ids.entries()) {
      take(lectures, lecture, `/sections/${index}/lecture_ids/${at}`, 'lecture');
    }
  }
  const missing = [...sections, ...lectures];
  if (missing.length === 0) return;
  const named = missing.slice(0, MISSING_IDS).join(', ');
  refuse(
    '/sections',
    `Lacks ${named}${missing.length > MISSING_IDS ? ` and ${missing.length - MISSING_IDS} more` : ''}`,
  );
}

function take(left: Set<string>, id: string, pointer: string, one: string): void {
  if (!left.delete(id)) refuse(pointer, `Stands twice, or is no ${one} of this course`);
}

function refuse(pointer: string, detail: string): never {
  throw new ApiError('validation_failed', 'The order must name each section and lecture of the course once', {
    errors: [{ pointer, code: 'invalid_value', detail }],
  });
}

/** True when both have the same sections with the same lectures in the same order. */
export function isSameOrder(one: CurriculumOrder, other: CurriculumOrder): boolean {
  const flat = (order: CurriculumOrder): string =>
    order.map(({ id, lecture_ids }) => [id, ...lecture_ids].join(' ')).join(',');
  return flat(one) === flat(other);
}

interface Timed {
  readonly state: string;
  readonly duration_seconds: number;
}

/** Sums the durations of the published lectures, in seconds. */
export function durationOf(sections: readonly { readonly lectures: readonly Timed[] }[]): number {
  const published = sections.flatMap(({ lectures }) => lectures).filter(({ state }) => state === 'published');
  return published.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0);
}

/** A part stays in its course. @throws `validation_failed` */
export function requireSameCourse(
  known: { readonly course_id: string },
  named: { readonly course_id: string },
  pointer = '/course_id',
): void {
  if (known.course_id === named.course_id) return;
  throw new ApiError('validation_failed', 'Sections and lectures stay in their course', {
    errors: [{ pointer, code: 'invalid_value', detail: 'Belongs to another course' }],
  });
}
