import { fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf } from '@lyceum/collections';
import { recordProgress } from '@lyceum/contracts';
import { idIn, instant, instantOut } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3c2-4b55-7d1e-9f20-1a2b3c4d5e6f',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  enrollment_id: '019ab3c1-2f33-7a2c-b5d6-7e8f9a0b1c2d',
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  lecture_id: '019ab3c0-9c22-7b3d-8e4f-5a6b7c8d9e0f',
  lecture_title: 'The sky as a map',
  position_seconds: 754,
  watched_at: '2026-11-20T08:00:00.000Z',
  completed: false,
  completed_at: null,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const { position_seconds, completed } = recordProgress.input.shape;

export const progress = resource('Progress', {
  one: 'progress',
  fields: {
    student_id: readOnly(z.uuid()),
    enrollment_id: readOnly(z.uuid()),
    course_id: fixed(idIn.meta({ description: 'A course that the student is enrolled in' })),
    lecture_id: fixed(idIn.meta({ description: 'A lecture of the course' })),
    lecture_title: readOnly(
      z.string().nullable().meta({ description: 'Title of the lecture when it was last watched' }),
    ),
    position_seconds: fixed(position_seconds.meta({ description: 'Where the student stopped' })),
    watched_at: fixed(instant.meta({ description: 'When the student was there; at most five minutes from now' })),
    completed: fixed(completed.unwrap().meta({ description: 'Completed; a completed lecture stays so' }), false),
    completed_at: readOnly(
      instantOut.nullable().meta({ description: 'When the lecture was completed for the first time' }),
    ),
  },
  sorts: ['-watched_at', '-updated_at'],
  ranges: ['watched_at', 'updated_at'],
  filters: {
    course_id: idIn.meta({ description: 'Only progress in this course' }),
    completed: z.boolean().meta({ description: 'Only lectures that are completed, or those that are not' }),
  },
  examples: {
    object: EXAMPLE,
    create: {
      course_id: EXAMPLE.course_id,
      lecture_id: EXAMPLE.lecture_id,
      position_seconds: 754,
      watched_at: EXAMPLE.watched_at,
      completed: false,
    },
  },
});
export type ProgressCreate = CreateOf<typeof progress>;
export type ProgressListQuery = ListQueryOf<typeof progress>;
