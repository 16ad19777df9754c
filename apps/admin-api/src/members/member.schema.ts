import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { GRANTED_ROLES, MEMBER_FIELD_LIMITS, memberStateSchema, roleSchema } from '@lyceum/contracts';
import {
  email,
  externalId,
  httpsUrl,
  idIn,
  instantOut,
  locale,
  metadata,
  money,
  multiline,
  name,
  phoneNumber,
  tag,
  tags,
} from '@lyceum/rest';
import { z } from 'zod';
import { personEmail } from '#src/students/student.schema.js';

const EXAMPLE = {
  id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  email: 'student@harbour.example',
  name: 'Harbour School Student',
  phone_number: '+886912345678',
  avatar_url: null,
  avatar_file_id: null,
  locale: 'zh-TW',
  state: 'active',
  roles: ['student'],
  joined_at: '2026-11-20T08:00:00.000Z',
  total_spent: [{ amount_minor: 320_000, currency: 'TWD' }],
  active_subscription_ids: ['019ab3e0-4d50-7e44-9f66-7a88b99c0d10'],
  external_id: null,
  metadata: {},
  tags: ['2026-autumn'],
  custom_fields: { cohort: 'evening' },
  enrollments_count: 2,
  last_seen_at: '2026-11-20T07:30:00.000Z',
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const AVATAR_FILE = {
  description: 'A file of the purpose image that is ready; its public address is the `avatar_url`',
};
const { fields: FIELDS, text: TEXT_LENGTH } = MEMBER_FIELD_LIMITS;

const customFields = z
  .record(z.string().regex(/^[\w.-]{1,40}$/), z.union([multiline(TEXT_LENGTH), z.number(), z.boolean()]))
  .refine((value) => Object.keys(value).length <= FIELDS, `At most ${FIELDS} keys`)
  .meta({
    description:
      'Values that the school records about the person, by the keys of the settings of the school: a string for text, ' +
      'date and choice, a number, or true and false',
  });

const granted = z
  .array(z.enum(GRANTED_ROLES))
  .min(1)
  .max(GRANTED_ROLES.length)
  .meta({ description: 'Roles that the member gets. The role owner cannot be given here' });

export const memberRoles = z
  .strictObject({ roles: granted })
  .meta({ id: 'MemberRoles', examples: [{ roles: EXAMPLE.roles }] });

export const member = resource('Member', {
  one: 'member',
  fields: {
    email: readOnly(
      z.string().nullable().meta({ description: 'Address by which the person signs in; null after the removal' }),
    ),
    name: editable(name(200).meta({ description: 'Name of the person at this site' })),
    phone_number: editable(phoneNumber.nullable().meta({ description: 'International form: +886912345678' }), null),
    avatar_url: editable(httpsUrl.nullable().meta({ description: 'Picture of the person: an https URL' }), null),
    avatar_file_id: editable(idIn.nullable().meta(AVATAR_FILE), null),
    locale: editable(locale.nullable().meta({ description: 'Language tag, such as zh-TW' }), null),
    state: readOnly(memberStateSchema),
    roles: readOnly(
      z.array(roleSchema).meta({ description: 'Roles by privilege, the highest first. Empty after the removal' }),
    ),
    joined_at: readOnly(instantOut),
    total_spent: readOnly(
      z.array(money).meta({ description: 'Paid orders less their refunds, for each currency. Lists leave it out' }),
    ),
    active_subscription_ids: readOnly(
      z.array(z.uuid()).meta({ description: 'Subscriptions that give access, the oldest first' }),
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
    tags: editable(tags.meta({ description: 'Words by which the school groups members' }), []),
    custom_fields: editable(customFields, {}),
    enrollments_count: readOnly(z.int().min(0).meta({ description: 'Live enrollments of the student, exact' })),
    last_seen_at: readOnly(
      instantOut.nullable().meta({ description: 'When the member last watched a lecture as a student; null: never' }),
    ),
  },
  details: ['total_spent'],
  create: {
    email: personEmail.meta({ description: 'Lower-case. The invitation goes to it' }),
    name: name(200).optional().meta({ description: 'Default: the local part of the e-mail address' }),
    avatar_file_id: z.null().optional().meta({ description: 'Update the member to set a picture' }),
    roles: granted,
  },
  sorts: ['-created_at', '-updated_at', '-joined_at', 'name'],
  ranges: ['created_at', 'updated_at', 'joined_at'],
  filters: {
    state: memberStateSchema.meta({ description: 'Only members in this state' }),
    role: roleSchema.meta({ description: 'Only members with this role, beside others or alone' }),
    email: email.meta({ description: 'Exactly this e-mail address' }),
    external_id: externalId,
    tag,
  },
  search: { text: `(name || ' ' || coalesce(email, ''))`, in: 'name or e-mail address' },
  examples: {
    object: EXAMPLE,
    create: { email: EXAMPLE.email, name: EXAMPLE.name, roles: ['lecturer'] },
    patch: { phone_number: null, tags: ['2026-autumn', 'evening'] },
  },
});
export type MemberCreate = CreateOf<typeof member>;
export type MemberPatch = PatchOf<typeof member>;
export type MemberListQuery = ListQueryOf<typeof member>;
export type MemberRoles = z.infer<typeof memberRoles>;
