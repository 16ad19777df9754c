import { instantOut, instantText, listQuery } from '@lyceum/rest';
import { z } from 'zod';
import { CHANGE_DAYS } from './change.policy.js';
import { dataOf, exampleOf, objectOf, pascal } from './public-event-data.js';
import type { PublicObject } from './public-event-data.js';
import { PUBLIC_EVENTS, PUBLIC_EVENT_TYPES } from './public-event-types.js';
import type { PublicEventType } from './public-event-types.js';

const INSTANT = '2026-11-20T08:00:00.000Z';

/** Members of a change of any type, without its data. */
const common = {
  id: z.uuid().meta({ description: 'Id of the event, also `webhook-id` of its deliveries' }),
  object_id: z.uuid().meta({ description: 'Id of the object that changed' }),
  occurred_at: instantOut.meta({ description: 'When the object changed' }),
  created_at: instantOut.meta({ description: 'When the feed recorded the change, which is its place in the feed' }),
};

const COMMON_EXAMPLE = {
  id: '019ab3c0-d480-7192-93a4-8f9010213041',
  object_id: '019ab3c0-1b2c-7d3e-8f4a-5b6c7d8e9f01',
  occurred_at: INSTANT,
  created_at: INSTANT,
};

const byObject = Map.groupBy(PUBLIC_EVENT_TYPES, objectOf);

/** Changes of the objects of one kind. The types say what happened. */
function changeOf(object: PublicObject, types: readonly PublicEventType[]) {
  const meanings = types.map((type) => `\`${type}\`: ${PUBLIC_EVENTS[type].description}`).join('\n\n');
  const type = z.enum(types).meta({ description: meanings });
  return z.object({ type, ...common, data: dataOf(object) }).meta({
    id: `${pascal(object)}Change`,
    examples: [{ type: types[0], ...COMMON_EXAMPLE, data: types[0] && exampleOf(types[0]) }],
  });
}

const [first, ...others] = [...byObject].map(([object, types]) => changeOf(object, types));
if (first === undefined) throw new Error('The table of public events is empty');

const EXAMPLE = { type: 'course.published', ...COMMON_EXAMPLE, data: exampleOf('course.published') };

const change = z.discriminatedUnion('type', [first, ...others]).meta({ id: 'Change', examples: [EXAMPLE] });

export const changeList = z
  .object({
    data: z.array(change),
    page: z.object({
      next_cursor: z.string().meta({ description: 'Continues after this page, also after an empty one' }),
      has_more: z.boolean().meta({ description: 'false: the caller is up to date' }),
      limit: z.int().min(1),
    }),
  })
  .meta({
    id: 'ChangeList',
    examples: [{ data: [EXAMPLE], page: { next_cursor: 'MTc2MzYyNTYwMDAwMDAwMA', has_more: false, limit: 20 } }],
  });

export const typeFilter = z.enum(PUBLIC_EVENT_TYPES);

const { limit, cursor } = listQuery({ sorts: ['created_at'], fields: ['id'], filters: {} }).shape;

export const changeQuery = z.strictObject({
  limit,
  cursor: cursor.meta({ description: `\`page.next_cursor\` of an earlier response, at most ${CHANGE_DAYS} days old` }),
  type: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(typeFilter).min(1).max(PUBLIC_EVENT_TYPES.length))
    .optional()
    .meta({ description: 'Only these types, separated by commas' }),
  'created_at[gte]': instantText.optional().meta({ description: 'Only changes that were recorded then or later' }),
});
export type ChangeQuery = z.output<typeof changeQuery>;
