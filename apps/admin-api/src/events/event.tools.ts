import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { itemsOf, toolPage } from '#src/paging/tool-page.js';
import { READS } from '#src/tool-calls/hints.js';
import { publicEvent } from './event.schema.js';
import { EventService } from './event.service.js';
import { viewPublicEvent } from './event.view.js';

const listInput = z.object({
  when: z.enum(['upcoming', 'past']).default('upcoming').describe('Past events come with the latest first'),
  ...toolPage,
});
const listOutput = itemsOf(z.object({ slug: z.string(), name: z.string(), ...publicEvent.shape }));

@Injectable()
export class EventTools {
  constructor(private readonly events: EventService) {}

  @Tool({
    name: 'list_events',
    title: 'List events',
    description:
      'Lists the events of this site that are still to come, the next one first, or those that are over. Use it for ' +
      'dates, places and tickets; use get_catalog_item for the description of one.',
    audience: 'public',
    scopes: [],
    toolset: 'events',
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  async listEvents({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const query = { when: input.when, limit: input.first, cursor: input.after };
    const page = await this.events.listPublic({ site_id }, query);
    const items = page.rows.map((row) => ({ slug: row.slug, name: row.name, ...viewPublicEvent(row) }));
    return { items, next_cursor: page.next };
  }
}
