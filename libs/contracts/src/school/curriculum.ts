import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';
import { defineEntityEvents } from '../platform/event.js';
import { externalIdOfObject } from './command-values.js';

export const LECTURE_TYPES = ['video', 'audio', 'text', 'pdf', 'quiz', 'live', 'download'] as const;
export const LECTURE_STATES = ['draft', 'published'] as const;
export const ATTACHMENT_KINDS = ['video', 'audio', 'image', 'pdf', 'file', 'link'] as const;

/** Parts that one course may have. A larger curriculum than `pieceBytes` needs several events. */
export const CURRICULUM_LIMITS = {
  sections: 50,
  lectures: 2_000,
  titleLength: 150,
  /** JSON of the sections in one event. The envelope has room below `TOPOLOGY_LIMITS.eventBytes`. */
  pieceBytes: 240 * 1_024,
} as const;

/**
 * The curriculum of a course, in its order. The aggregate is the course; the name says which part changed. It is
 * deleted with its course, and has no sections then. `piece` events with the version of a change follow it when the
 * curriculum does not fit into one event.
 */
export const curriculumEvents = defineEntityEvents({
  context: 'school',
  entity: 'curriculum',
  version: 1,
  names: [
    'section_created',
    'section_updated',
    'section_deleted',
    'lecture_created',
    'lecture_updated',
    'lecture_published',
    'lecture_unpublished',
    'lecture_deleted',
    'reordered',
    'copied',
    'deleted',
    'piece',
    'republished',
  ],
  data: z.object({
    course_id: z.uuid(),
    site_id: z.uuid(),
    /**
     * `sections` has piece `index` of `count` of the curriculum of this version. A section can continue in the next
     * piece. Null: `sections` has only the part that changed, and later events have the curriculum.
     */
    piece: z
      .object({ index: z.int().nonnegative(), count: z.int().positive() })
      .nullable()
      .default({ index: 0, count: 1 }),
    /** Id of the section or lecture that changed. Null: several parts or none changed. */
    part_id: z.uuid().nullable(),
    part_external_id: externalIdOfObject,
    sections: z.array(
      z.object({
        section_id: z.uuid(),
        title: z.string(),
        /** Days after the start of an enrollment until its lectures open. */
        drip_days: z.int().nonnegative(),
        /** They open at no enrollment before. Null: the days alone count. */
        opens_at: instantSchema.nullable().default(null),
        lectures: z.array(
          z.object({
            lecture_id: z.uuid(),
            slug: z.string(),
            title: z.string(),
            lecture_type: z.enum(LECTURE_TYPES),
            state: z.enum(LECTURE_STATES),
            /** Open to everyone before they enroll. */
            free_preview: z.boolean(),
            duration_seconds: z.int().nonnegative(),
            /** First publication; publishing again does not change it. */
            published_at: instantSchema.nullable(),
          }),
        ),
      }),
    ),
  }),
});

/**
 * The attachments of one lecture, empty for a deleted one. The aggregate is the lecture, with its version. The event of
 * a curriculum has no room for them: a course may have 2,000 lectures with 20 attachments each.
 */
export const lectureAttachmentEvents = defineEntityEvents({
  context: 'school',
  entity: 'lecture_attachments',
  version: 1,
  names: ['changed', 'deleted', 'republished'],
  data: z.object({
    lecture_id: z.uuid(),
    course_id: z.uuid(),
    site_id: z.uuid(),
    attachments: z.array(
      z.object({
        title: z.string(),
        kind: z.enum(ATTACHMENT_KINDS),
        /** Address elsewhere. Null: a file of the site. */
        url: z.string().nullable(),
        /** A file of the site, to which `linkFile` returns a link. */
        file: z
          .object({ file_id: z.uuid(), filename: z.string(), content_type: z.string(), bytes: z.int().positive() })
          .nullable(),
        downloadable: z.boolean(),
      }),
    ),
  }),
});
