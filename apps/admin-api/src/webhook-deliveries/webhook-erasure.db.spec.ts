import { randomUUID } from 'node:crypto';
import { JobMetrics } from '@lyceum/jobs';
import type { Outbox } from '@lyceum/messaging';
import { MetricsRegistry } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { WebhookErasureQueue } from './webhook-erasure.queue.js';
import { ERASURE_PIECE, WebhookErasureRepository } from './webhook-erasure.repository.js';
import type { WebhookErasure } from './webhook-erasure.repository.js';
import { WebhookErasureWorker } from './webhook-erasure.worker.js';

const NAME = 'Mei Lin';

const erasures = new WebhookErasureRepository();
let database: OpenDatabase;
let worker: WebhookErasureWorker;
beforeAll(async () => {
  database = await openDatabase();
  worker = newWorker();
});
beforeEach(() => query('truncate webhook_deliveries, webhook_erasures'));
afterAll(() => database.close());

/** A worker of another replica. */
function newWorker(repository = erasures): WebhookErasureWorker {
  const outbox: Pick<Outbox, 'transaction'> = { transaction: (work) => database.dataSource.transaction(work) };
  const metrics = new JobMetrics(new MetricsRegistry('test'), database.sql);
  return new WebhookErasureWorker(new WebhookErasureQueue(database.sql), metrics, outbox as Outbox, repository);
}

const query = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  database.dataSource.query<Row[]>(text, values);

/** Stores responses at a site, in the order of the search. Returns the ids of their deliveries. */
async function store(site_id: string, count: number, response: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `insert into webhook_deliveries (site_id, endpoint_id, event_id, event_type, object_id, occurred_at, data, state,
       due_at, attempts, response_body)
     select $1, gen_random_uuid(), gen_random_uuid(), 'order.paid', gen_random_uuid(), now(), '{}', 'succeeded',
       null, 1, $2 || n from generate_series(1, $3::int) n returning id`,
    [site_id, response, count],
  );
  return rows.map(({ id }) => id);
}

const request = (site_id: string, texts = [NAME]): Promise<void> =>
  database.dataSource.transaction((tx) => erasures.request(tx, { site_id, ids: [randomUUID()], texts }));

/** Runs the searches that are due, and returns the number of the runs. */
async function runAll(runner = worker): Promise<number> {
  let runs = 0;
  while (await runner.turn()) runs += 1;
  return runs;
}

const stored = async (site_id: string): Promise<number> => {
  const text = 'select count(*)::int as count from webhook_deliveries where site_id = $1 and response_body is not null';
  return (await query<{ count: number }>(text, [site_id]))[0]!.count;
};
const searches = (): Promise<{ texts: string[] }[]> => query('select texts from webhook_erasures');

it('erases nothing in the transaction of the removal, and all in later runs, with the texts of the person', async () => {
  const site_id = randomUUID();
  await store(site_id, 2, `For ${NAME}: `);
  await store(site_id, 3, 'Thank you ');
  await request(site_id);
  expect([await stored(site_id), await searches()]).toEqual([5, [{ texts: ['mei lin'] }]]);
  expect(await runAll()).toBe(1);
  expect([await stored(site_id), await searches()]).toEqual([3, []]);
});

it.each([
  [ERASURE_PIECE - 1, 1],
  [ERASURE_PIECE, 2],
  [2 * ERASURE_PIECE + 1, 3],
])('reads %i responses in %i runs, each at most one piece', async (count, runs) => {
  const site_id = randomUUID();
  const ids = await store(site_id, count, `For ${NAME}: `);
  const kept = [ids[0], ids.at(-1)];
  await query(`update webhook_deliveries set response_body = 'Thank you' where id = any($1)`, [kept]);
  await request(site_id);
  expect(await runAll()).toBe(runs);
  const left = await query<{ id: string }>(
    'select id from webhook_deliveries where site_id = $1 and response_body is not null order by id',
    [site_id],
  );
  expect(left.map(({ id }) => id)).toEqual(kept);
});

it('continues after the last complete piece of a killed run', async () => {
  const site_id = randomUUID();
  await store(site_id, ERASURE_PIECE + 5, `For ${NAME}: `);
  await request(site_id);
  await worker.turn();
  expect(await stored(site_id)).toBe(5);
  class Killed extends WebhookErasureRepository {
    override async searchNext(tx: EntityManager, job: WebhookErasure): Promise<boolean> {
      await super.searchNext(tx, job);
      throw new Error('killed');
    }
  }
  await newWorker(new Killed()).turn();
  expect([await stored(site_id), (await searches()).length]).toEqual([5, 1]);
  await query(`update webhook_erasures set due_at = now() - interval '1 second'`);
  expect(await runAll()).toBe(1);
  expect([await stored(site_id), await searches()]).toEqual([0, []]);
});

it('repeats a piece with a row that another transaction has, and waits for none', async () => {
  const site_id = randomUUID();
  const [locked] = await store(site_id, 3, `For ${NAME}: `);
  await request(site_id);
  await database.dataSource.transaction(async (tx) => {
    await tx.query('select from webhook_deliveries where id = $1 for update', [locked]);
    await worker.turn();
    expect([await stored(site_id), (await searches()).length]).toEqual([1, 1]);
  });
  expect(await runAll()).toBe(1);
  expect([await stored(site_id), await searches()]).toEqual([0, []]);
});

it('searches the responses of the site alone, and requests no search for a site without responses', async () => {
  const [site_id, other] = [randomUUID(), randomUUID()];
  await store(other, 2, `For ${NAME}: `);
  await request(site_id);
  expect(await searches()).toEqual([]);
  await store(site_id, 1, `For ${NAME}: `);
  await request(site_id);
  await runAll();
  expect([await stored(site_id), await stored(other)]).toEqual([0, 2]);
});

it('finds a piece by its index among deliveries without responses', async () => {
  const site_id = randomUUID();
  await store(site_id, 2_000, 'Thank you ');
  await query('update webhook_deliveries set response_body = null where site_id = $1', [site_id]);
  await store(site_id, 10, `For ${NAME}: `);
  await query('analyze webhook_deliveries');
  const plan = await query<Record<string, string>>(
    `explain select id from webhook_deliveries where site_id = '${site_id}' and id > '00000000-0000-0000-0000-000000000000'
     and response_body is not null order by id limit ${ERASURE_PIECE}`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('webhook_deliveries_stored');
});
