import { z } from 'zod';
import { rangeFilters, fieldsParameter, flag, instantOut, listQuery, pageOf, searchText } from '@lyceum/rest';
import { publicLecturer } from './lecturer.schema.js';

const { slug, name, title, avatar_url, social_links } = publicLecturer.shape;

const summary = z
  .object({
    id: z.uuid(),
    slug,
    name,
    title,
    avatar_url,
    email: z.string().nullable(),
    person_id: z.uuid().nullable().meta({ description: '`sub` of their tokens, when they have an account' }),
    social_links,
    position: z.int(),
    visible: z.boolean(),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'LecturerSummary' });

const EXAMPLE = {
  id: '019ab3c0-ab40-7c5d-8e6f-3a4b5c6d7e80',
  slug: 'mei-lin',
  name: 'Mei Lin',
  title: 'Painter',
  avatar_url: null,
  email: 'mei@example.com',
  person_id: null,
  social_links: [],
  position: 0,
  visible: true,
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
  bio_html: '<p>Has painted for twenty years.</p>',
} as const;

export const lecturerView = summary
  .extend({ bio_html: z.string().nullable() })
  .meta({ id: 'Lecturer', examples: [EXAMPLE] });

export const lecturerList = pageOf('LecturerList', summary);

export const lecturerListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'name', '-name'],
  fields: Object.keys(summary.shape) as [keyof typeof summary.shape],
  filters: {
    visible: flag.optional(),
    q: searchText.optional().meta({ description: 'Words that all occur in the name' }),
    ...rangeFilters(['created_at']),
  },
});
export type LecturerListQuery = z.infer<typeof lecturerListQuery>;

export const lecturerGetQuery = z.strictObject({
  fields: fieldsParameter(Object.keys(lecturerView.shape) as [keyof typeof lecturerView.shape]),
});
