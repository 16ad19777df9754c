import { READS, instantText, iso, operatorOf, toolItems } from '@lyceum/rest';
import { Tool, itemsOf, toolPage } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CHANGE_DAYS } from './change.policy.js';
import { typeFilter } from './change.schema.js';
import { ChangeService } from './change.service.js';

const input = z.object({
  type: typeFilter.optional().describe('Only changes of this type'),
  since: instantText
    .optional()
    .describe('Only changes recorded then or later: RFC 3339 instant, or a date, which is its start at the school'),
  ...toolPage,
  after: toolPage.after.describe(
    `next_cursor of an earlier call with the same type and since, at most ${CHANGE_DAYS} days old`,
  ),
});
type Input = z.output<typeof input>;

const item = z.object({
  id: z.uuid(),
  type: z.string(),
  object_id: z.uuid(),
  occurred_at: z.string(),
});

/** The feed has no end, so each page has a cursor (ADR 100). */
const output = itemsOf(item).extend({
  next_cursor: z.string().describe('Pass it as "after": now while has_more is true, else later for what is new then'),
  has_more: z.boolean().describe('false: these are all changes so far'),
});

@Injectable()
export class ListChangesTools {
  constructor(private readonly changes: ChangeService) {}

  @Tool({
    name: 'list_changes',
    title: 'List changes',
    audience: 'operator',
    scopes: 'any',
    toolset: 'changes',
    description:
      `Lists what changed at this site in ${CHANGE_DAYS} days, or since a time, oldest first, deletions too, for the objects ` +
      'that your scopes read. Use it to find new or changed objects, then read them by object_id; a stored next_cursor ' +
      'finds later changes.',
    input,
    output,
    annotations: READS,
  })
  async list(call: ToolCall<Input>): Promise<object> {
    const { type, since, first, after } = call.input;
    const query = { limit: first, cursor: after, type: type && [type], 'created_at[gte]': since };
    const reading = this.changes.list(operatorOf(call), query);
    const page = reading.then(({ rows, next }) => ({ rows, next, total: undefined }));
    const listed = await toolItems(page, ({ id, type: kind, object_id, occurred_at }) => ({
      id,
      type: kind,
      object_id,
      occurred_at: iso(occurred_at),
    }));
    return { ...listed, has_more: (await reading).more };
  }
}
