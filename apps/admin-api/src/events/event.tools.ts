import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  READS,
  itemsOf,
  newestFirst,
  operatorOf,
  searchText,
  shownDescription,
  toolItems,
  toolPage,
  truncated,
} from '@lyceum/rest';
import { EVENT_STATES, eventView } from './event.api.schema.js';
import { publicEvent } from './event.schema.js';
import { EventService } from './event.service.js';
import { viewEvent, viewEventSummary, viewPublicEvent } from './event.view.js';

const listInput = z.object({
  when: z.enum(['upcoming', 'past']).default('upcoming').describe('Past events come with the latest first'),
  ...toolPage,
});
const listOutput = itemsOf(z.object({ slug: z.string(), name: z.string(), ...publicEvent.shape }));

const allInput = z.object({
  q: searchText.optional().describe('Words that all occur in the name or slug'),
  state: z.enum(EVENT_STATES).optional().describe('Only those in this state'),
  ...toolPage,
});
const allOutput = itemsOf(
  eventView.pick({
    id: true,
    slug: true,
    name: true,
    state: true,
    hosting_type: true,
    starts_at: true,
    ends_at: true,
    timezone: true,
    capacity: true,
    registrations_count: true,
    updated_at: true,
  }),
);
const detailsInput = z.object({ id: z.uuid().toLowerCase().describe('Id of the event; list_all_events has it') });
const details = z.object({ ...eventView.shape, description_truncated: truncated });

const OPERATORS = { audience: 'operator', scopes: ['events:read'] } as const;

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
  listEvents({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const query = { when: input.when, limit: input.first, cursor: input.after };
    return toolItems(this.events.listPublic({ site_id }, query), (row) => ({
      slug: row.slug,
      name: row.name,
      ...viewPublicEvent(row),
    }));
  }

  @Tool({
    ...OPERATORS,
    name: 'list_all_events',
    title: 'List all events',
    description:
      'Lists the events of this site for its operators, drafts and cancelled ones included, the newest entry first. Use ' +
      'it to manage events; use list_events for what visitors see.',
    input: allInput,
    output: allOutput,
    annotations: READS,
  })
  listAllEvents(call: ToolCall<z.infer<typeof allInput>>): Promise<object> {
    return toolItems(this.events.list(operatorOf(call), newestFirst(call.input)), viewEventSummary);
  }

  @Tool({
    ...OPERATORS,
    name: 'get_event_details',
    title: 'Get an event as its operators see it',
    description:
      'Reads one event in any state, with its tickets, registrations and the link to join. Use it when you know the id ' +
      'from list_all_events; use get_catalog_item for what visitors see.',
    input: detailsInput,
    output: details,
    annotations: READS,
  })
  async getEventDetails(call: ToolCall<z.infer<typeof detailsInput>>): Promise<object> {
    const row = await this.events.get(operatorOf(call), call.input.id);
    return { ...viewEvent(row), ...shownDescription(row.description_html) };
  }
}
