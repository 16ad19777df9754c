import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { isErasedEmail } from '@lyceum/contracts';
import { email, externalId, httpsUrl, instantOut, locale, metadata, name, phoneNumber, tag, tags } from '@lyceum/rest';
import { z } from 'zod';
import { STUDENT_STATES } from './student.policy.js';

const EXAMPLE = {
  id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  email: 'student@harbour.example',
  name: 'Harbour School Student',
  phone_number: '+886912345678',
  avatar_url: null,
  locale: 'zh-TW',
  state: 'active',
  tags: ['2026-autumn'],
  external_id: 'learner-1',
  metadata: { cohort: 'evening' },
  enrollments_count: 2,
  last_seen_at: '2026-11-20T07:30:00.000Z',
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

/** The address of a student or member in a request. Addresses that replace erased ones belong to no person. */
export const personEmail = email.refine((value) => !isErasedEmail(value), 'The domain deleted.invalid is reserved');

const sendWelcomeEmail = z.boolean().default(false).meta({ description: 'Without it, no mail is sent' });

export const studentRestore = z
  .strictObject({ send_welcome_email: sendWelcomeEmail })
  .meta({ id: 'StudentRestore', examples: [{ send_welcome_email: false }] });

export const student = resource('Student', {
  one: 'student',
  fields: {
    member_id: readOnly(
      z.uuid().nullable().meta({
        description: '`sub` of their tokens at this site; null until auth has linked the student to an account',
      }),
    ),
    email: editable(
      personEmail.meta({
        description:
          'Lower-case, unique at the site. A student whose address changes becomes the person of the new one.',
      }),
    ),
    name: editable(name(200).meta({ description: 'Name of the student' })),
    phone_number: editable(phoneNumber.nullable().meta({ description: 'International form: +886912345678' }), null),
    avatar_url: editable(httpsUrl.nullable().meta({ description: 'Picture of the student: an https URL' }), null),
    locale: editable(locale.nullable().meta({ description: 'Language tag, such as zh-TW' }), null),
    state: readOnly(z.enum(STUDENT_STATES)),
    tags: editable(tags.meta({ description: 'Words by which the school groups students' }), []),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
    enrollments_count: readOnly(z.int().min(0).meta({ description: 'Live enrollments, exact' })),
    last_seen_at: readOnly(
      instantOut.nullable().meta({ description: 'When the student last watched a lecture; null: never' }),
    ),
  },
  create: {
    name: name(200).optional().meta({ description: 'Default: the local part of the e-mail address' }),
    send_welcome_email: sendWelcomeEmail,
  },
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    state: z.enum(STUDENT_STATES).meta({ description: 'Only students in this state' }),
    email: email.meta({ description: 'Exactly this e-mail address' }),
    external_id: externalId,
    tag,
  },
  search: { text: `(name || ' ' || email)`, in: 'name or e-mail address' },
  examples: {
    object: EXAMPLE,
    create: { email: EXAMPLE.email, name: EXAMPLE.name, send_welcome_email: false },
    patch: { phone_number: null, tags: ['2026-autumn', 'evening'] },
  },
});
export type StudentCreate = CreateOf<typeof student>;
export type StudentPatch = PatchOf<typeof student>;
export type StudentListQuery = ListQueryOf<typeof student>;
export type StudentRestore = z.infer<typeof studentRestore>;
