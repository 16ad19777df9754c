import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { idIn, instantOut } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3c3-5c66-7e2f-8a31-2b3c4d5e6f70',
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  rating: 5,
  title: 'Clear and calm',
  body: 'Each lecture has one idea, and enough time to try it.',
  reviewed_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const rating = z.int().min(1).max(5);

export const courseReview = resource('CourseReview', {
  one: 'review',
  fields: {
    course_id: readOnly(z.uuid()),
    student_id: readOnly(z.uuid()),
    rating: readOnly(rating),
    title: readOnly(z.string().nullable()),
    body: readOnly(z.string().meta({ description: 'Plain text. Empty once the member was removed' })),
    reviewed_at: readOnly(instantOut.meta({ description: 'When the student wrote it' })),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    course_id: idIn.meta({ description: 'Only reviews of this course' }),
    student_id: idIn.meta({ description: 'Only reviews of this student' }),
    rating: rating.meta({ description: 'Only reviews with this rating' }),
  },
  examples: { object: EXAMPLE },
});
export type CourseReviewListQuery = ListQueryOf<typeof courseReview>;
