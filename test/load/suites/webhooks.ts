import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@lyceum/local';
import { benchSite } from '../bench-stack.ts';
import { onDatabase } from '../data/database.ts';
import type { Suite } from '../suite.ts';
import { operatorOf } from './operator.ts';

const POLL_MS = 100;
/** Receivers of the school. One of them does not answer. */
const ENDPOINTS = 10;

/** Deliveries of one replica to several endpoints, one of which is dead. */
export const webhooks: Suite = async ({ stack, arguments: { rows }, step, hold }) => {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url !== '/dead') response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  hold({ 'webhook deliveries': rows });
  try {
    const ids = await step('create the endpoints', () => createEndpoints(stack, `http://127.0.0.1:${port}`));
    const microseconds = await step(`deliver ${rows} events`, () => deliver(stack, ids, rows));
    return [
      {
        suite: 'webhooks',
        title: `time of a delivery of ${rows.toLocaleString('en')}, beside a dead endpoint`,
        unit: 'µs',
        // 300 deliveries a second.
        goal: 3_333,
        measure: () => Promise.resolve(microseconds),
      },
    ];
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
};

/** Returns the ids of the endpoints, that of the dead one last. */
async function createEndpoints(stack: Stack, origin: string): Promise<string[]> {
  const send = await operatorOf(stack, 'school:write courses:read');
  const ids: string[] = [];
  for (let made = 1; made <= ENDPOINTS; made += 1) {
    const url = `${origin}/${made === ENDPOINTS ? 'dead' : made}`;
    const { id } = await send('POST', '/webhook_endpoints', { url, event_types: ['course.created'] });
    ids.push(id);
  }
  return ids;
}

/** Returns the microseconds for each delivery to an endpoint that answers. */
function deliver(stack: Stack, ids: readonly string[], rows: number): Promise<number> {
  const { site_id } = benchSite(stack);
  return onDatabase(stack.databaseUrl('school'), async (client) => {
    await client.query(
      `insert into webhook_deliveries (site_id, endpoint_id, event_id, event_type, occurred_at, data)
       select $1, ($2::uuid[])[1 + n % $4], uuidv7(), 'course.created', now(), '{"name":"Drawing"}'
       from generate_series(1, $3::int) n`,
      [site_id, ids, rows, ids.length],
    );
    await client.query('analyze webhook_deliveries');
    const began = performance.now();
    await client.query('update webhook_queues set due_at = now() where site_id = $1', [site_id]);
    for (;;) {
      await sleep(POLL_MS);
      const { rows: counted } = await client.query<{ waiting: number; done: number }>(
        `select count(*) filter (where state = 'pending')::int as waiting,
           count(*) filter (where state = 'succeeded')::int as done
         from webhook_deliveries where site_id = $1 and endpoint_id <> $2`,
        [site_id, ids.at(-1)],
      );
      const [{ waiting, done } = { waiting: 1, done: 0 }] = counted;
      if (waiting === 0) return ((performance.now() - began) * 1_000) / done;
    }
  });
}
