import { curriculumEvents, eventType } from '@lyceum/contracts';
import { OCCASIONS } from '#src/notifications/occasions.js';
import type { CurriculumEvent, Sections } from './curriculum-pieces.policy.js';

export type ChangedPart = ReturnType<typeof changedPart>[number];

type Lecture = Sections[number]['lectures'][number];

const PUBLISHED = eventType(curriculumEvents, 'lecture_published');

/** Returns the part that an event changed. `lecture` is undefined unless it is published. */
export function changedPart({ type, occurred_at, data: { site_id, course_id, part_id, sections } }: CurriculumEvent) {
  if (part_id === null) return [];
  const isPart = ({ lecture_id, state }: Lecture): boolean => lecture_id === part_id && state === 'published';
  const section = sections.find(({ lectures }) => lectures.some(isPart));
  const lecture = section?.lectures.find(isPart);
  // A lecture that is published again keeps its first publication.
  const published_at = type === PUBLISHED ? occurred_at : (lecture?.published_at ?? null);
  const opens_at = lecture?.free_preview === true ? null : (section?.opens_at ?? null);
  return [{ site_id, course_id, occasion: OCCASIONS.lecture.of(part_id), lecture, published_at, opens_at }];
}

/** The first publication of each lecture after its last retraction. */
export function newLectures(parts: readonly ChangedPart[]): Iterable<ChangedPart> {
  const found = new Map<string, ChangedPart>();
  for (const part of parts) {
    if (part.lecture === undefined) found.delete(part.occasion);
    else if (!found.has(part.occasion)) found.set(part.occasion, part);
  }
  return found.values();
}
