import { readOnly, resource } from '@lyceum/collections';
import { CURRICULUM_LIMITS, LECTURE_STATES, LECTURE_TYPES } from '@lyceum/contracts';
import { idIn, instantOut } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  sections: [
    {
      id: '019ab3c0-9b11-7a2c-8d3e-4f5a6b7c8d9e',
      title: 'Sky and horizon',
      drip_days: 0,
      opens_at: null,
      lectures: [
        {
          id: '019ab3c0-9c22-7b3d-8e4f-5a6b7c8d9e0f',
          slug: 'the-sky-as-a-map',
          title: 'The sky as a map',
          lecture_type: 'video',
          state: 'published',
          free_preview: true,
          duration_seconds: 540,
        },
      ],
    },
  ],
  lectures_count: 1,
  duration_seconds: 540,
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const [SECTION] = EXAMPLE.sections;

const lecture = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    lecture_type: z.enum(LECTURE_TYPES),
    state: z.enum(LECTURE_STATES),
    free_preview: z.boolean(),
    duration_seconds: z.int().min(0),
  })
  .meta({ examples: [SECTION.lectures[0]] });

const section = z
  .object({
    id: z.uuid(),
    title: z.string(),
    drip_days: z.int().min(0),
    opens_at: instantOut.nullable(),
    lectures: z.array(lecture),
  })
  .meta({ examples: [SECTION] });

/** The sections in the result of a tool. */
export const shownSections = z
  .array(
    section.extend({
      more_lectures: z
        .int()
        .min(1)
        .optional()
        .describe('Lectures of the section that are left out; list_lectures has them'),
    }),
  )
  .describe('In their order, with the first lectures of the course');

/** The body of a new order. */
export const curriculumOrder = z
  .strictObject({
    sections: z
      .array(z.strictObject({ id: idIn, lecture_ids: z.array(idIn).max(CURRICULUM_LIMITS.lectures) }))
      .max(CURRICULUM_LIMITS.sections)
      .meta({ description: 'Every section of the course, each with the ids of its lectures, in the new order' }),
  })
  .meta({
    id: 'CurriculumOrder',
    examples: [{ sections: [{ id: SECTION.id, lecture_ids: [SECTION.lectures[0].id] }] }],
  });

/** The tree of one course. */
export const curriculum = resource('Curriculum', {
  one: 'curriculum',
  common: [],
  fields: {
    course_id: readOnly(z.uuid()),
    sections: readOnly(z.array(section).meta({ description: 'In their order, with their lectures in theirs' })),
    lectures_count: readOnly(z.int().min(0).meta({ description: 'Lectures of any state' })),
    duration_seconds: readOnly(z.int().min(0).meta({ description: 'Duration of the published lectures' })),
    updated_at: readOnly(instantOut.nullable().meta({ description: 'null: the course never had a section' })),
  },
  examples: { object: EXAMPLE },
});
