import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { SHARED_TYPES, sharedId } from '@lyceum/contracts';
import { text } from '@lyceum/rest';
import { z } from 'zod';

const actor = z.object({
  member_id: z.uuid().nullable().describe('`sub` of the tokens of the person; null: a program, such as the storefront'),
  name: z.string().nullable().describe('The name that the person has now; null when it is unknown'),
  client_id: z
    .string()
    .nullable()
    .describe('Client that made the change: an application, or the program that sent the command'),
  via: z.string().describe('The surface of the change, or the word command for a program of the school'),
  request_id: z.string().nullable().describe('`X-Request-Id` of the request, or the id of the command'),
});

const word = text(100);

export const activity = resource('Activity', {
  one: 'activity entry',
  common: ['id', 'created_at'],
  fields: {
    action: readOnly(z.string().meta({ description: 'The type of the event, such as `course.published`' })),
    summary: readOnly(z.string().meta({ description: 'The change in a sentence, as the admin area shows it' })),
    object_type: readOnly(z.string()),
    object_id: readOnly(z.uuid().nullable().meta({ description: 'null: the settings of the school' })),
    actor: readOnly(actor),
    changed_fields: readOnly(z.array(z.string()).meta({ description: 'Names of the fields that an update changed' })),
  },
  filters: { object_type: word, object_id: sharedId(...SHARED_TYPES), action: word, member_id: z.uuid() },
  examples: {
    object: {
      id: '019ab3c0-d480-7192-93a4-8f9010213041',
      action: 'course.published',
      summary: 'Harbour School Owner published a course',
      object_type: 'course',
      object_id: '019ab3c0-1b2c-7d3e-8f4a-5b6c7d8e9f01',
      actor: {
        member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
        name: 'Harbour School Owner',
        client_id: 'harbour-import',
        via: 'rest',
        request_id: '019ab3c0-d47f-7a80-9b1c-2d3e4f506172',
      },
      changed_fields: [],
      created_at: '2026-11-20T08:00:00.000Z',
    },
  },
});
export type ActivityListQuery = ListQueryOf<typeof activity>;
