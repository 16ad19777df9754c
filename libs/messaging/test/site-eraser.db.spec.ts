import { courseEvents, deadLetterStream, siteEvents } from '@lyceum/contracts';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import { EventConsumers, Nats, Outbox, SiteEraser } from '../src/index.js';
import { LIMITS } from '../src/connection/limits.js';
import { MessageEraser } from '../src/outbox/message-eraser.js';
import { SiteErasuresRepository } from '../src/outbox/site-erasures.repository.js';
import { SiteRowsRepository } from '../src/site-data/site-rows.repository.js';
import { SITE, course, courseId } from './events.js';
import { closeServices, messagingDatabase, startService } from './service.js';
import type { TestService } from './service.js';

const OTHER = '018f3b1e-0000-7000-8000-000000000002';
const ROWS = LIMITS.siteRows + 1;
/** Tables in an order that no deletion may follow: comments reference each other, and both others in turn. */
const TABLES = `
  create table lectures (site_id uuid not null, id int not null, primary key (site_id, id));
  create table comments (
    site_id uuid not null, id int not null, lecture_id int not null, parent_id int, primary key (site_id, id),
    foreign key (site_id, lecture_id) references lectures (site_id, id),
    foreign key (site_id, parent_id) references comments (site_id, id));
  create table sessions (id int primary key, site_id uuid not null);
  create table entries (site_id uuid not null, n int not null) partition by range (n);
  create table entries_0 partition of entries for values from (0) to (10);
  insert into lectures select site, n from unnest($1::uuid[]) as site, generate_series(1, ${ROWS}) as n;
  insert into comments select site, n, n, nullif(n - 1, 0) from unnest($1::uuid[]) as site, generate_series(1, 5) as n;
  insert into sessions select n, ($1::uuid[])[n % 2 + 1] from generate_series(1, 2000) as n;
  insert into entries select site, 1 from unnest($1::uuid[]) as site`;

let nats: TestNats;
let admin: NatsConnection;
let school: TestService;
const erased: string[] = [];

beforeAll(async () => {
  nats = await testNats();
  admin = await connectAs(nats.environment('admin'));
  school = await startService({
    service: 'admin-api',
    nats: nats.environment('admin-api'),
    database: await messagingDatabase(),
  });
  await school.get(Nats).ready();
  for (const statement of TABLES.split(';')) {
    const parameters = statement.includes('$1') ? [[SITE, OTHER]] : [];
    await school.get(DataSource).query(statement, parameters);
  }
});
afterAll(async () => {
  await admin.close();
  await closeServices();
  await nats.stop();
});

const query = <Row>(text: string, values: unknown[] = []): Promise<Row[]> => school.get(DataSource).query(text, values);
async function counts(site: string): Promise<number[]> {
  const numbers = ['lectures', 'comments', 'sessions', 'entries'].map(async (table) => {
    const [row] = await query<{ n: number }>(`select count(*)::int as n from ${table} where site_id = $1`, [site]);
    return row?.n ?? -1;
  });
  return Promise.all(numbers);
}
async function messages(stream: string): Promise<string[]> {
  const { streams } = await jetstreamManager(admin);
  const { last_seq } = (await streams.info(stream)).state;
  const found: string[] = [];
  for (let seq = 1; seq <= last_seq; seq += 1) {
    const message = await streams.getMessage(stream, { seq }).catch(() => null);
    if (message !== null) found.push(message.json<{ site_id: string }>().site_id);
  }
  return found.toSorted();
}
const publish = (n: number, site_id: string): Promise<void> =>
  school.get(Outbox).transaction((tx) =>
    school.get(Outbox).add(tx, courseEvents, 'updated', {
      aggregate_id: courseId(n),
      aggregate_version: 1,
      site_id,
      data: { ...course(n), site_id },
    }),
  );
const passes = () =>
  query<{ passes: number; due: string | null }>(
    `select passes, round(extract(epoch from next_at - now()) / 60)::text as due from site_erasures`,
  );

it('deletes nothing in a service that has not registered its data', async () => {
  await school.get(Outbox).transaction((tx) => school.get(Outbox).eraseSite(tx, SITE));
  await school.get(SiteEraser).run();
  expect(await passes()).toMatchObject([{ passes: 0 }]);
  expect(await counts(SITE)).toEqual([ROWS, 5, 1000, 1]);
});

it('deletes the rows, events and dead letters of the site, and none of another', async () => {
  await publish(1, SITE);
  await publish(2, OTHER);
  await eventually(async () => (await messages('SCHOOL')).length === 2);
  await admin.request(
    `dead-letters.admin-api.changes`,
    JSON.stringify({ site_id: SITE, type: 'school.course.updated.v1' }),
  );
  await eventually(async () => (await messages(deadLetterStream('admin-api'))).length === 1);
  school.get(SiteEraser).register({
    keeps: ['entries'],
    erase: async (siteId, step) => {
      erased.push(siteId);
      await step();
    },
  });
  await query('update site_erasures set next_at = now()');
  await school.get(SiteEraser).run();
  await eventually(async () => (await passes())[0]?.passes === 1);
  expect(await counts(SITE)).toEqual([0, 0, 0, 1]);
  expect(await counts(OTHER)).toEqual([ROWS, 5, 1000, 1]);
  expect(await messages('SCHOOL')).toEqual([OTHER]);
  expect(await messages(deadLetterStream('admin-api'))).toEqual([]);
  expect(erased).toEqual([SITE]);
});

it('repeats the pass after an hour, a day and the life of events, and keeps the mark', async () => {
  for (const [done, minutes] of [
    [1, '60'],
    [2, '1440'],
    [3, '44640'],
    [4, null],
  ] as const) {
    expect(await passes()).toEqual([{ passes: done, due: minutes }]);
    await query('insert into sessions values (0, $1)', [SITE]);
    await query('update site_erasures set next_at = now() where next_at is not null');
    await school.get(SiteEraser).run();
    await eventually(async () => ((await passes())[0]?.passes ?? 0) === Math.min(done + 1, 4));
    expect((await counts(SITE))[2]).toBe(done < 4 ? 0 : 1);
    await query('delete from sessions where id = 0');
  }
  expect(erased).toHaveLength(4);
});

it('keeps the event of the deletion', async () => {
  const isLater = await query('select 1 from site_erasures where site_id = $1', [SITE]);
  expect(isLater).toHaveLength(1);
  await school.get(Outbox).transaction((tx) => school.get(Outbox).eraseSite(tx, SITE));
  const body = { site_id: SITE, type: `identity.${siteEvents.entity}.deleted.v1` };
  await admin.request(`dead-letters.admin-api.site-deletions`, JSON.stringify(body));
  await school.get(SiteEraser).run();
  await eventually(async () => (await passes())[0]?.passes === 1);
  expect(await messages(deadLetterStream('admin-api'))).toEqual([SITE]);
});

describe('a pass that reads a long stream', () => {
  let dataSource: DataSource;
  beforeEach(async () => {
    dataSource = await new DataSource({ type: 'postgres', url: await messagingDatabase() }).initialize();
    await dataSource.query('insert into site_erasures (site_id) values ($1)', [SITE]);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
  });

  /** Runs a pass whose lease is to be renewed after this statement. Returns whether the pass had to end then. */
  async function passWith(meanwhile: string): Promise<{ ended: boolean; rows: unknown[] }> {
    const steps: boolean[] = [];
    const erase: MessageEraser['erase'] = async (_isErased, step) => {
      steps.push(await step());
      await dataSource.query(meanwhile);
      const now = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(now + LIMITS.erasureLeaseRenewal + 1);
      steps.push(await step());
      rows = await dataSource.query(
        `select passes, round(extract(epoch from next_at - now()) / 60)::int as minutes from site_erasures`,
      );
      return 0;
    };
    let rows: unknown[] = [];
    const messages: MessageEraser = Object.create(MessageEraser.prototype, { erase: { value: erase } });
    const eraser = new SiteEraser(new SiteErasuresRepository(dataSource), new SiteRowsRepository(dataSource), messages);
    eraser.register({ keeps: [] });
    await eraser.run();
    expect(steps[0]).toBe(true);
    return { ended: steps[1] === false, rows };
  }

  it('renews its lease', async () => {
    const { ended, rows } = await passWith(`update site_erasures set next_at = now() + interval '1 second'`);
    expect([ended, rows]).toEqual([false, [{ passes: 0, minutes: 1 }]]);
    expect(await dataSource.query('select passes from site_erasures')).toEqual([{ passes: 1 }]);
  });

  it('ends once another replica has completed the pass, and leaves the time of the next pass', async () => {
    const { ended, rows } = await passWith(`update site_erasures set passes = 1, next_at = now() + interval '1 hour'`);
    expect([ended, rows]).toEqual([true, [{ passes: 1, minutes: 60 }]]);
  });
});

it('applies no event of a deleted site, and all others', async () => {
  const applied: string[] = [];
  const reader = {
    name: 'changes',
    stream: 'SCHOOL' as const,
    events: [courseEvents],
    handle: async ({ data }: { data: { site_id: string } }) => void applied.push(data.site_id),
  };
  const learner = await startService({
    service: 'member-api',
    nats: nats.environment('member-api'),
    database: await messagingDatabase(),
  });
  await learner.get(Outbox).transaction((tx) => learner.get(Outbox).eraseSite(tx, SITE));
  learner.get(EventConsumers).register({ ...reader, name: 'courses' });
  await publish(3, SITE);
  await publish(4, OTHER);
  await eventually(() => applied.length === 2);
  expect(applied).toEqual([OTHER, OTHER]);
  expect(await learner.metric('events_processed_total', { result: 'dead' })).toBe(0);
});
