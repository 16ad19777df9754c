import { Injectable } from '@nestjs/common';
import { Tool, itemsOf, principalOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { parse } from 'graphql';
import { z } from 'zod';
import { connectionOf, nextCursor, pageInput } from '#src/paging/tool-page.js';
import { MemberQueries } from '#src/reading/member-queries.service.js';

/** Keeps a result short; the member API returns the others. */
const BOOKINGS = 3;

const booking = z.object({
  id: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  state: z.enum(['SCHEDULED', 'COMPLETED', 'NO_SHOW', 'CANCELED']),
  joinUrl: z.string().nullable(),
});
const bookings = z.object({ nodes: z.array(booking), totalCount: z.int() });
const node = z.object({
  id: z.string(),
  serviceId: z.string(),
  slug: z.string(),
  name: z.string(),
  lecturer: z.object({ id: z.string(), name: z.string() }).nullable(),
  timezone: z.string(),
  purchasedAt: z.string(),
  expireDate: z.string().nullable(),
  sessionsTotal: z.int(),
  sessionsUsed: z.int(),
  sessionsRemaining: z.int(),
  upcoming: bookings,
  others: bookings,
});

const FIELDS = 'nodes { id startsAt endsAt state joinUrl } totalCount';
const SERVICES = {
  document: parse(`query ($first: Int, $after: String) { viewer { consultingServices(first: $first, after: $after) {
    nodes {
      id serviceId slug name lecturer { id name } timezone purchasedAt expireDate
      sessionsTotal sessionsUsed sessionsRemaining
      upcoming: bookings(last: ${BOOKINGS}, isUpcoming: true) { ${FIELDS} }
      others: bookings(first: ${BOOKINGS}, isUpcoming: false) { ${FIELDS} }
    }
    pageInfo { hasNextPage endCursor }
  } } }`),
  output: z.object({ consultingServices: connectionOf(node) }),
};

const item = z.object({
  purchase_id: z.string(),
  consulting_service_id: z.string(),
  slug: z.string(),
  name: z.string(),
  lecturer: z.object({ lecturer_id: z.string(), name: z.string() }).nullable(),
  timezone: z.string(),
  purchased_at: z.string(),
  expires_at: z.string().nullable(),
  sessions_total: z.int(),
  sessions_used: z.int(),
  sessions_remaining: z.int(),
  bookings: z
    .array(
      z.object({
        booking_id: z.string(),
        starts_at: z.string(),
        ends_at: z.string(),
        state: z.enum(['scheduled', 'completed', 'no_show', 'canceled']),
        join_url: z.string().nullable().describe('Null unless it is scheduled.'),
      }),
    )
    .describe(`At most ${BOOKINGS} sessions: those to come, soonest first, then the others, latest first.`),
  bookings_left_off: z.int().describe('Number of sessions that bookings leaves off.'),
});
const output = itemsOf(item);

@Injectable()
export class ConsultingServicesTools {
  constructor(private readonly queries: MemberQueries) {}

  @Tool({
    name: 'my_consulting_services',
    title: 'My consulting services',
    description:
      'Lists the consulting services of the signed-in member, newest first, with the number of sessions that are left and the booked sessions, the next one first. Use it to answer when a session takes place, where to join it, or how many are left.',
    audience: 'member',
    scopes: ['account:read'],
    input: pageInput,
    output,
    annotations: { readOnlyHint: true },
  })
  async myConsultingServices(call: ToolCall<z.output<typeof pageInput>>): Promise<z.input<typeof output>> {
    const { consultingServices } = await this.queries.run(SERVICES, call.input, principalOf(call));
    return { items: consultingServices.nodes.map(summary), next_cursor: nextCursor(consultingServices.pageInfo) };
  }
}

function summary({ lecturer, upcoming, others, ...service }: z.output<typeof node>): z.input<typeof item> {
  // The list has the latest session first.
  const shown = [...upcoming.nodes.toReversed(), ...others.nodes].slice(0, BOOKINGS);
  return {
    purchase_id: service.id,
    consulting_service_id: service.serviceId,
    slug: service.slug,
    name: service.name,
    lecturer: lecturer === null ? null : { lecturer_id: lecturer.id, name: lecturer.name },
    timezone: service.timezone,
    purchased_at: service.purchasedAt,
    expires_at: service.expireDate,
    sessions_total: service.sessionsTotal,
    sessions_used: service.sessionsUsed,
    sessions_remaining: service.sessionsRemaining,
    bookings: shown.map(({ id, startsAt, endsAt, state, joinUrl }) => ({
      booking_id: id,
      starts_at: startsAt,
      ends_at: endsAt,
      state: STATES[state],
      join_url: joinUrl,
    })),
    bookings_left_off: upcoming.totalCount + others.totalCount - shown.length,
  };
}

const STATES = { SCHEDULED: 'scheduled', COMPLETED: 'completed', NO_SHOW: 'no_show', CANCELED: 'canceled' } as const;
