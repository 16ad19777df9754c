import { HOSTING_TYPES } from '@lyceum/contracts';
import { READS, instantOut, iso, money, toolItems } from '@lyceum/rest';
import { Tool, itemsOf, toolPage } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { EventService } from './event.service.js';

const ticket = z.object({
  id: z.uuid(),
  name: z.string(),
  price: money,
  sold_out: z.boolean().describe('All places of the ticket are taken'),
});

/** The public members of an event, besides those of all items of the catalog. Never with `join_url`. */
export const publicEvent = z.object({
  hosting_type: z.enum(HOSTING_TYPES),
  location: z.string().nullable(),
  starts_at: instantOut,
  ends_at: instantOut,
  timezone: z.string().describe('The zone in which people at the place read the times'),
  full: z.boolean().describe('All places are taken'),
  tickets: z.array(ticket).describe('None: it is free'),
});

const listInput = z.object({
  when: z.enum(['upcoming', 'past']).default('upcoming').describe('Past events come with the latest first'),
  ...toolPage,
});
const listOutput = itemsOf(z.object({ slug: z.string(), name: z.string(), ...publicEvent.shape }));

type Row = Awaited<ReturnType<EventService['getPublic']>>;

export function viewPublicEvent(row: Row): z.infer<typeof publicEvent> {
  const { hosting_type, location, timezone, capacity, registrations_count, tickets } = row;
  return {
    hosting_type,
    location,
    starts_at: iso(row.starts_at),
    ends_at: iso(row.ends_at),
    timezone,
    full: capacity !== null && registrations_count >= capacity,
    tickets: tickets.map(({ id, name, price, sold_out }) => ({ id, name, price, sold_out })),
  };
}

@Injectable()
export class PublicEventTools {
  constructor(private readonly events: EventService) {}

  @Tool({
    name: 'browse_events',
    title: 'Browse events',
    description:
      'Lists the upcoming events of this site, the next one first, or the past ones. Use it for dates, places and ' +
      'tickets; browse_item has the description of one event.',
    audience: 'public',
    scopes: [],
    toolset: 'events',
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  browseEvents({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const query = { when: input.when, limit: input.first, cursor: input.after };
    return toolItems(this.events.listPublic({ site_id }, query), (row) => {
      const { slug, name } = row;
      return { slug, name, ...viewPublicEvent(row) };
    });
  }
}
