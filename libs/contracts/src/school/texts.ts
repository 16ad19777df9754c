import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';

export const MEMBER_TEXTS = ['course_description', 'lecture_content'] as const;

/**
 * UTF-16 code units of a text in one event. JSON needs at most 6 bytes for one, so a piece stays below
 * `TOPOLOGY_LIMITS.eventBytes`.
 */
export const TEXT_PIECE_LENGTH = 40_000;

/**
 * A long text that members read, in pieces. The aggregate is the course or the lecture, with its version. A text that
 * was taken away is one empty piece.
 */
export const textEvents = defineEntityEvents({
  context: 'school',
  entity: 'text',
  version: 1,
  names: ['changed', 'deleted', 'republished'],
  data: z.object({
    /** Id of the course or the lecture. */
    owner_id: z.uuid(),
    kind: z.enum(MEMBER_TEXTS),
    course_id: z.uuid(),
    site_id: z.uuid(),
    /** `html` has piece `index` of `count` of the text of this version. */
    piece: z.object({ index: z.int().nonnegative(), count: z.int().positive() }),
    /** Cleaned HTML. A tag can continue in the next piece. */
    html: z.string(),
  }),
});
