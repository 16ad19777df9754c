import { Injectable } from '@nestjs/common';
import { Tool, itemsOf, principalOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { parse } from 'graphql';
import { z } from 'zod';
import { connectionOf, nextCursor, pageInput } from '#src/paging/tool-page.js';
import { MemberQueries } from '#src/reading/member-queries.service.js';

const node = z.object({
  id: z.string(),
  eventId: z.string(),
  slug: z.string(),
  name: z.string(),
  url: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  timezone: z.string(),
  hostingType: z.string(),
  location: z.string().nullable(),
  joinUrl: z.string().nullable(),
  ticketId: z.string().nullable(),
  ticketName: z.string().nullable(),
  state: z.string(),
  registeredAt: z.string(),
});

const REGISTRATIONS = {
  document: parse(`query ($first: Int, $after: String) { viewer { eventRegistrations(first: $first, after: $after) {
    nodes {
      id eventId slug name url startsAt endsAt timezone hostingType location joinUrl ticketId ticketName state registeredAt
    }
    pageInfo { hasNextPage endCursor }
  } } }`),
  output: z.object({ eventRegistrations: connectionOf(node) }),
};

const item = z.object({
  registration_id: z.string(),
  event_id: z.string(),
  slug: z.string(),
  name: z.string(),
  url: z.string().describe('Address of the event at the site, which has no page.'),
  starts_at: z.string(),
  ends_at: z.string(),
  timezone: z.string(),
  hosting_type: z.string().describe('zoom, live_session, custom or in_person.'),
  location: z.string().nullable(),
  join_url: z.string().nullable().describe('Null unless state is registered.'),
  ticket_id: z.string().nullable(),
  ticket_name: z.string().nullable(),
  state: z.string().describe('registered, waitlisted, checked_in, no_show or canceled.'),
  registered_at: z.string(),
});
const output = itemsOf(item);

@Injectable()
export class EventRegistrationsTools {
  constructor(private readonly queries: MemberQueries) {}

  @Tool({
    name: 'my_event_registrations',
    title: 'My event registrations',
    description:
      'Lists the events that the signed-in member has registered for, newest registration first, with their times and where to join them. Use it to answer what the member takes part in, when and where.',
    audience: 'member',
    scopes: ['account:read'],
    input: pageInput,
    output,
    annotations: { readOnlyHint: true },
  })
  async myEventRegistrations(call: ToolCall<z.output<typeof pageInput>>): Promise<z.input<typeof output>> {
    const { eventRegistrations } = await this.queries.run(REGISTRATIONS, call.input, principalOf(call));
    return { items: eventRegistrations.nodes.map(summary), next_cursor: nextCursor(eventRegistrations.pageInfo) };
  }
}

function summary(registration: z.output<typeof node>): z.input<typeof item> {
  return {
    registration_id: registration.id,
    event_id: registration.eventId,
    slug: registration.slug,
    name: registration.name,
    url: registration.url,
    starts_at: registration.startsAt,
    ends_at: registration.endsAt,
    timezone: registration.timezone,
    hosting_type: registration.hostingType.toLowerCase(),
    location: registration.location,
    join_url: registration.joinUrl,
    ticket_id: registration.ticketId,
    ticket_name: registration.ticketName,
    state: registration.state.toLowerCase(),
    registered_at: registration.registeredAt,
  };
}
