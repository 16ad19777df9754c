import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { idIn, instantOut } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3d2-2b20-7a11-8b22-3c33d44e5502',
  form_id: '019ab3d2-1a10-7a11-8b22-3c33d44e5501',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  answers: {
    email: 'learner@mail.example',
    topics: ['Invoices'],
    message: 'Please send my invoice to the address of my company.',
    terms: true,
  },
  submitted_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const answer = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const formSubmission = resource('FormSubmission', {
  one: 'submission',
  fields: {
    form_id: readOnly(z.uuid()),
    student_id: readOnly(z.uuid().nullable().meta({ description: 'null: an anonymous visitor' })),
    member_id: readOnly(z.uuid().nullable().meta({ description: 'The member who is the student' })),
    answers: readOnly(
      z.record(z.string(), answer).meta({
        description: 'By the keys of the fields at the time; empty once the member was removed',
      }),
    ),
    submitted_at: readOnly(instantOut),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { student_id: idIn.meta({ description: 'Only submissions of this student' }) },
  examples: { object: EXAMPLE },
});
export type FormSubmissionListQuery = ListQueryOf<typeof formSubmission>;
