import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@lyceum/local';
import type pg from 'pg';
import { scaled } from '../arguments.ts';
import { benchSite } from '../bench-stack.ts';
import { onDatabase } from '../data/database.ts';
import type { Suite } from '../suite.ts';
import { operatorOf, type Send } from './operator.ts';
import { WebhookReceivers } from './webhook-receivers.ts';

const POLL_MS = 100;
const PROBE_MS = 250;
/** Between two events of a quiet school. Together they stay below the quota of a minute. */
const QUIET_MS = 300;
const QUIET_EVENTS = 60;
const LOGGED = 1_000_000;
/** Receivers that answer at once. Together with the others a site has places for them all. */
const HEALTHY = 6;
const FAULTY = ['dead', 'slow', 'huge'] as const;

interface Endpoints {
  readonly healthy: readonly string[];
  readonly faulty: readonly string[];
  readonly probe: string;
}

/** Deliveries of one replica with stored responses, beside endpoints with faults and below a long log. */
export const webhooks: Suite = async ({ stack, arguments: wanted, step, hold }) => {
  const { rows } = wanted;
  const receivers = await WebhookReceivers.start();
  const logged = scaled(wanted, LOGGED);
  hold({ 'webhook deliveries': 2 * rows, 'log of webhook deliveries': logged });
  try {
    const send = await operatorOf(stack, 'school:write courses:read courses:write');
    const probe = await createEndpoint(send, receivers.url('probe'));
    const quiet = await step('deliver events of a quiet school', () =>
      quietDelays(send, receivers, scaled(wanted, QUIET_EVENTS, 5)),
    );
    const endpoints = await step('create the endpoints', () => createEndpoints(send, receivers, probe));
    const short = await step(`deliver ${rows} events`, () => deliver(stack, endpoints, rows));
    await step(`log ${logged} deliveries`, () => fillLog(stack, endpoints, logged));
    const long = await step(`deliver ${rows} events`, () => deliver(stack, endpoints, rows));
    const count = rows.toLocaleString('en');
    const suite = 'webhooks';
    return [
      {
        suite,
        title: 'time from a request to the webhook about it, when the school is quiet',
        goal: 1_000,
        samples: () => Promise.resolve(quiet),
      },
      {
        suite,
        title: `time of a delivery of ${count}, with stored bodies, beside a dead, a slow and a huge endpoint`,
        unit: 'µs',
        // 300 deliveries a second.
        goal: 3_333,
        measure: () => Promise.resolve(short.microseconds),
      },
      {
        suite,
        title: 'longest wait of another endpoint meanwhile',
        unit: 'ms',
        goal: 2_000,
        measure: () => Promise.resolve(Math.max(short.longestMs, long.longestMs)),
      },
      {
        suite,
        title: `time of a delivery below ${logged.toLocaleString('en')} logged ones ÷ before`,
        unit: '×',
        goal: 1.25,
        measure: () => Promise.resolve(long.microseconds / short.microseconds),
      },
    ];
  } finally {
    receivers.stop();
  }
};

async function createEndpoint(send: Send, url: string): Promise<string> {
  return (await send('POST', '/webhook_endpoints', { url, event_types: ['course.created'] })).id;
}

async function createEndpoints(send: Send, receivers: WebhookReceivers, probe: string): Promise<Endpoints> {
  const create = async (names: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const name of names) ids.push(await createEndpoint(send, receivers.url(name)));
    return ids;
  };
  const healthy = await create(Array.from({ length: HEALTHY }, (_, index) => `healthy-${index}`));
  return { healthy, faulty: await create(FAULTY), probe };
}

/** Milliseconds from each request, before its commit, until the receiver has the webhook. */
async function quietDelays(send: Send, receivers: WebhookReceivers, events: number): Promise<number[]> {
  const delays: number[] = [];
  for (let event = 0; event < events; event += 1) {
    const began = performance.now();
    const { id } = await send('POST', '/courses', { slug: `quiet-${event}`, name: 'Quiet' });
    delays.push((await receivers.arrival(id)) - began);
    await sleep(QUIET_MS);
  }
  return delays;
}

const ADD = `insert into webhook_deliveries (site_id, endpoint_id, event_id, event_type, object_id, occurred_at, data)
  select $1, ($2::uuid[])[1 + n % cardinality($2::uuid[])], uuidv7(), 'course.created', gen_random_uuid(), now(),
    '{"name":"Drawing"}' from generate_series(1, $3::int) n`;
const WAKE = `update webhook_queues set due_at = least(due_at, date_trunc('milliseconds', clock_timestamp()))
  where site_id = $1 and endpoint_id = any($2)`;

/** Delivers events to all endpoints, one after the other to the probe, until the healthy ones have theirs. */
function deliver(
  stack: Stack,
  { healthy, faulty, probe }: Endpoints,
  rows: number,
): Promise<{ readonly microseconds: number; readonly longestMs: number }> {
  const { site_id } = benchSite(stack);
  return onDatabase(stack.databaseUrl('school'), async (client) => {
    await client.query(ADD, [site_id, healthy, rows]);
    await client.query(ADD, [site_id, faulty, FAULTY.length * 50]);
    await client.query('analyze webhook_deliveries');
    const began = performance.now();
    await client.query(WAKE, [site_id, [...healthy, ...faulty]]);
    const probing = startProbe(stack, probe);
    for (;;) {
      await sleep(POLL_MS);
      if ((await pending(client, site_id, healthy)) === 0) break;
    }
    const microseconds = ((performance.now() - began) * 1_000) / rows;
    probing.ended = true;
    return { microseconds, longestMs: await probing.longestMs };
  });
}

async function pending(client: pg.Client, site_id: string, endpoints: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from webhook_deliveries
     where site_id = $1 and endpoint_id = any($2) and due_at is not null`,
    [site_id, endpoints],
  );
  return rows[0]!.count;
}

/** Adds a delivery for the probe from time to time, until `ended`. Then it returns the longest wait of one. */
function startProbe(stack: Stack, probe: string): { ended: boolean; readonly longestMs: Promise<number> } {
  const { site_id } = benchSite(stack);
  const probing = { ended: false, longestMs: Promise.resolve(0) };
  probing.longestMs = onDatabase(stack.databaseUrl('school'), async (client) => {
    do {
      await client.query(ADD, [site_id, [probe], 1]);
      await client.query(WAKE, [site_id, [probe]]);
      await sleep(PROBE_MS);
    } while (!probing.ended);
    while ((await pending(client, site_id, [probe])) > 0) await sleep(POLL_MS);
    const { rows } = await client.query<{ longest: number }>(
      `select max(extract(epoch from attempted_at - created_at))::float8 * 1000 as longest
       from webhook_deliveries where site_id = $1 and endpoint_id = $2`,
      [site_id, probe],
    );
    return rows[0]!.longest;
  });
  return probing;
}

/** Deliveries that ended within the last 29 days. */
function fillLog(stack: Stack, { healthy }: Endpoints, logged: number): Promise<void> {
  const { site_id } = benchSite(stack);
  return onDatabase(stack.databaseUrl('school'), async (client) => {
    await client.query(
      `insert into webhook_deliveries (site_id, endpoint_id, event_id, event_type, object_id, occurred_at, data, state,
         due_at, attempts, attempted_at, response_status, response_ms, created_at)
       select $1, ($2::uuid[])[1 + n % cardinality($2::uuid[])], uuidv7(), 'course.created', gen_random_uuid(), at,
         '{"name":"Drawing"}', 'succeeded', null, 1, at, 204, 5, at
       from generate_series(1, $3::int) n cross join lateral (select now() - n * interval '29 days' / $3::int as at) time`,
      [site_id, healthy, logged],
    );
    await client.query('vacuum (analyze) webhook_deliveries');
  });
}
