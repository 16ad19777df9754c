import { randomUUID } from 'node:crypto';
import { planOf, rowsRead } from '@lyceum/testing';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { WAITING_TYPES, WebhookEndpointRepository } from './webhook-endpoint.repository.js';

const endpoint = { site_id: randomUUID(), id: randomUUID() };
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  await add(100_000, 'order.paid');
  await add(1, 'student.deleted');
  await add(1, 'course.created', 'failed');
  await add(1, 'member.joined', 'pending', randomUUID());
});
afterAll(() => database.close());

async function add(count: number, type: string, state = 'pending', endpoint_id = endpoint.id): Promise<void> {
  await database.dataSource.query(
    `insert into webhook_deliveries (site_id, endpoint_id, event_id, event_type, occurred_at, data, state, due_at)
     select $1, $2, gen_random_uuid(), $4, now(), '{}', $5, case when $5 = 'pending' then now() end
     from generate_series(1, $3::int)`,
    [endpoint.site_id, endpoint_id, count, type, state],
  );
}

it('finds each type of the deliveries that wait for the endpoint once', async () => {
  const types = await database.dataSource.transaction((tx) =>
    new WebhookEndpointRepository(database.dataSource).waitingTypes(tx, endpoint),
  );
  expect(types).toEqual(['order.paid', 'student.deleted']);
});

it.each([
  ['before PostgreSQL has statistics', undefined],
  ['with statistics', 'analyze webhook_deliveries'],
])('reads one delivery of each type, %s', async (_when, prepare) => {
  if (prepare !== undefined) await database.dataSource.query(prepare);
  const statement = { text: WAITING_TYPES, values: [endpoint.site_id, endpoint.id] };
  const plan = await planOf((text, values) => database.dataSource.query(text, values), statement);
  const reads = plan.filter((node) => node['Relation Name'] === 'webhook_deliveries').map(rowsRead);
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(5);
});
