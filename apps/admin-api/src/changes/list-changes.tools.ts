import { READS, iso, operatorOf, toolItems } from '@lyceum/rest';
import { Tool, itemsOf, toolPage } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { typeFilter } from './change.schema.js';
import { ChangeService } from './change.service.js';

const input = z.object({
  type: typeFilter.optional().describe('Only changes of this type'),
  ...toolPage,
});
type Input = z.output<typeof input>;

const item = z.object({
  id: z.uuid(),
  type: z.string(),
  object_id: z.uuid(),
  occurred_at: z.string(),
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
      'Lists what changed at this site in 30 days, oldest first, deletions too, for the objects that your scopes read. ' +
      'Use it to find new or changed objects, then read them by object_id.',
    input,
    output: itemsOf(item),
    annotations: READS,
  })
  list(call: ToolCall<Input>): Promise<object> {
    const { type, first, after } = call.input;
    const query = { limit: first, cursor: after, type: type && [type] };
    const reading = this.changes.list(operatorOf(call), query);
    const page = reading.then(({ rows, next, more }) => ({ rows, next: more ? next : null, total: undefined }));
    return toolItems(page, ({ id, type: kind, object_id, occurred_at }) => ({
      id,
      type: kind,
      object_id,
      occurred_at: iso(occurred_at),
    }));
  }
}
