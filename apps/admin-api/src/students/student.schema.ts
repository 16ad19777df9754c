import { z } from 'zod';
import {
  rangeFilters,
  email,
  fieldsParameter,
  httpsUrl,
  instantOut,
  listQuery,
  locale,
  name,
  pageOf,
  phoneNumber,
  searchText,
  tags,
  text,
} from '@lyceum/rest';
import { STUDENT_STATES } from './student.state.js';

const EXAMPLE = {
  id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  person_id: '019ab3c0-9e22-7b1b-8c4d-6e7f8a9b0c1d',
  email: 'mei@example.com',
  name: 'Mei Lin',
  phone_number: '+886912345678',
  avatar_url: null,
  locale: 'zh-TW',
  state: 'active',
  tags: ['2026-autumn'],
  external_id: 'crm-1042',
  enrollments_count: 2,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const studentView = z
  .object({
    id: z.uuid(),
    person_id: z
      .uuid()
      .nullable()
      .meta({ description: '`sub` of their tokens; null until auth has found or made the person' }),
    email: z.string().meta({ description: 'Lower-case, unique at the site' }),
    name: z.string(),
    phone_number: z.string().nullable(),
    avatar_url: z.string().nullable(),
    locale: z.string().nullable(),
    state: z.enum(STUDENT_STATES),
    tags: z.array(z.string()),
    external_id: z.string().nullable().meta({ description: 'Your own id for them, unique at the site' }),
    enrollments_count: z.int().meta({ description: 'Live enrolments, exact' }),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'Student', examples: [EXAMPLE] });

const fieldNames = Object.keys(studentView.shape) as [keyof typeof studentView.shape];

export const studentList = pageOf('StudentList', studentView);

export const studentListQuery = listQuery({
  sorts: ['-created_at', 'created_at', 'name', '-name'],
  fields: fieldNames,
  filters: {
    state: z.enum(STUDENT_STATES).optional(),
    q: searchText.optional().meta({ description: 'Words that all occur in the name or e-mail address' }),
    email: email.optional().meta({ description: 'Exactly this e-mail address' }),
    ...rangeFilters(['created_at']),
  },
});
export type StudentListQuery = z.infer<typeof studentListQuery>;

export const studentGetQuery = z.strictObject({ fields: fieldsParameter(fieldNames) });

const editable = {
  name: name(200),
  phone_number: phoneNumber.nullable(),
  avatar_url: httpsUrl.nullable(),
  locale: locale.nullable(),
  tags,
  external_id: text(100).nullable(),
};

export const studentCreate = z
  .strictObject({
    email,
    name: editable.name.optional().meta({ description: 'Without it, the part of the address before the @' }),
    phone_number: editable.phone_number.default(null),
    avatar_url: editable.avatar_url.default(null),
    locale: editable.locale.default(null),
    tags: editable.tags.default([]),
    external_id: editable.external_id.default(null),
    send_welcome_email: z.boolean().default(false).meta({ description: 'Otherwise nothing is sent' }),
  })
  .meta({ id: 'StudentCreate', examples: [{ email: EXAMPLE.email, name: EXAMPLE.name, send_welcome_email: false }] });
export type StudentCreate = z.infer<typeof studentCreate>;

export const studentPatch = z
  .strictObject(editable)
  .partial()
  .extend({
    email: email.optional().meta({
      description:
        'Corrects the address: the student becomes the person of the new one, who is invited without an account',
    }),
    tags: editable.tags.nullable().optional(),
  })
  .meta({ id: 'StudentPatch', examples: [{ phone_number: null, tags: ['2026-autumn', 'evening'] }] });
export type StudentPatch = z.infer<typeof studentPatch>;
