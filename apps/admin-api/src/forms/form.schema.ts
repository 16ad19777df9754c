import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { FORM_FIELD_TYPES } from '@lyceum/contracts';
import { externalId, slug } from '@lyceum/rest';
import { z } from 'zod';

const FIELD = { required: false, options: [], max_length: null, minimum: null, maximum: null };

const EXAMPLE = {
  id: '019ab3d2-1a10-7a11-8b22-3c33d44e5501',
  slug: 'contact',
  external_id: 'form-contact',
  title: 'Write to us',
  fields: [
    { ...FIELD, key: 'email', type: 'email', label: 'Your e-mail address', required: true },
    { ...FIELD, key: 'topics', type: 'multiselect', label: 'Topics', options: ['Courses', 'Invoices', 'Events'] },
    { ...FIELD, key: 'message', type: 'textarea', label: 'Message', required: true, max_length: 2000 },
  ],
  submissions_count: 2,
  active: true,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const field = z.object({
  key: z.string().meta({ description: 'Names the answer in submissions' }),
  type: z.enum(FORM_FIELD_TYPES),
  label: z.string(),
  required: z.boolean(),
  options: z.array(z.string()).meta({ description: 'Values of a select and a multiselect' }),
  max_length: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Characters of a text and a textarea; null: the limit of the type' }),
  minimum: z.number().nullable().meta({ description: 'Smallest number' }),
  maximum: z.number().nullable().meta({ description: 'Largest number' }),
});

export const form = resource('Form', {
  one: 'form',
  fields: {
    slug: readOnly(z.string()),
    external_id: readOnly(z.string().nullable().meta({ description: 'Id in the program of the school' })),
    title: readOnly(z.string()),
    fields: readOnly(z.array(field).meta({ description: 'In the order of the form' })),
    submissions_count: readOnly(z.int().min(0)),
    active: readOnly(z.boolean().meta({ description: 'false: the form accepts no submissions' })),
  },
  details: ['fields'],
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    slug: slug.meta({ description: 'Exactly this slug' }),
    external_id: externalId.meta({ description: 'Exactly this id in the program of the school' }),
    active: z.boolean().meta({ description: 'Only forms that accept submissions, or only those that do not' }),
  },
  examples: { object: EXAMPLE },
});
export type FormListQuery = ListQueryOf<typeof form>;
