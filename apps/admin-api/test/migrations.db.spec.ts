import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Writes1763683200001 } from '@lyceum/rest';
import { MigratedDatabase, eventually, schemaSnapshot, unindexedForeignKeys } from '@lyceum/testing';
import { Baseline1763683200000 } from '#src/migrations/1763683200000-baseline.js';
import { Revisions1795987200000 } from '#src/migrations/1795987200000-revisions.js';
import { PastFailures1795987200001 } from '#src/migrations/1795987200001-past-failures.js';
import { KeptCoupons1795987200050 } from '#src/migrations/1795987200050-kept-coupons.js';
import { SCHOOL_MIGRATIONS } from './open-database.js';

let database: MigratedDatabase;

afterEach(() => database?.close());

it('migrates up, down to an empty schema, and up to the same schema', async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
  const { empty, up, down, again } = await database.history.roundTrip();
  expect(Object.keys(up)).toContain('table courses');
  expect(Object.keys(up)).not.toContain('table rate_limits');
  expect(down).toEqual(empty);
  expect(again).toEqual(up);
});

it('indexes each foreign key, and locks one table in each transaction of a migration', async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
  await database.history.up();
  expect(await unindexedForeignKeys(database)).toEqual([]);
  // Databases of v0.1.0 have run it.
  expect(database.history.lockedTogether).toEqual({ MessagingMilliseconds1793000000001: ['inbox', 'outbox'] });
});

it('lets an order lock its coupon while the migration waits for the order', async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
  await database.history.before(KeptCoupons1795987200050);
  const order = await database.connect();
  try {
    await order.query('begin');
    // As the insert of an order.
    await order.query('lock table orders in row exclusive mode');
    const migration = database.history.up(KeptCoupons1795987200050);
    migration.catch(() => undefined);
    const waiting = `select from pg_locks where not granted and relation = 'orders'::regclass`;
    await eventually(async () => (await order.query(waiting)).rowCount === 1);
    await order.query('select from coupons for update');
    await order.query('commit');
    await migration;
  } finally {
    await order.end();
  }
  expect(Object.keys(await database.history.catalog())).toContain('index orders_pending_coupon');
});

/** Written by the 90 migrations of commit 6a252a99 (ADR 174). */
const BEFORE = readFileSync(join(__dirname, 'schema-before-v0.1.0.txt'), 'utf8');
/** Those of v0.1.0. */
const LIBRARIES = [...messagingMigrations.slice(0, 6), ...rateLimitMigrations, Writes1763683200001];

it('makes the schema and the rows of the migrations from before v0.1.0, and finds a difference', async () => {
  database = await MigratedDatabase.open('school', [Baseline1763683200000, ...LIBRARIES]);
  await database.history.up();
  expect(await schemaSnapshot(database)).toBe(BEFORE);
  await database.query('alter table courses alter column featured drop default');
  expect(await schemaSnapshot(database)).not.toBe(BEFORE);
});

const SITE = '0195fa1c-5af3-7000-8000-000000000001';
const ENDPOINT = '0195fa1c-5af3-7000-8000-000000000002';

it('keeps the entity tags of rows from before their revision', async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
  await database.history.before(Revisions1795987200000);
  const page = `insert into pages (site_id, slug, title, version) values ($1, $2, 'Page', $3)`;
  await database.query(page, [SITE, 'edited', 5]);
  await database.query(page, [SITE, 'new', 1]);
  await database.history.up();
  const read = 'select slug, revision from pages order by slug';
  expect(await database.query(read)).toEqual([
    { slug: 'edited', revision: 5 },
    { slug: 'new', revision: 1 },
  ]);
  // As the version before does, which does not know the column.
  await database.query(page, [SITE, 'of-before', 1]);
  expect(await database.query(read)).toContainEqual({ slug: 'of-before', revision: 1 });
  await database.query(`update pages set title = 'Edited', version = 2, updated_at = now() + interval '1 second'
    where slug = 'of-before'`);
  expect(await database.query(read)).toContainEqual({ slug: 'of-before', revision: 2 });
  await database.query(`update pages set version = 3 where slug = 'of-before'`);
  await database.query(`update pages set revision = 3, updated_at = now() where slug = 'of-before'`);
  expect(await database.query(read)).toContainEqual({ slug: 'of-before', revision: 3 });
});

it('ends failures of webhook endpoints to which nothing waits', async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
  await database.history.before(PastFailures1795987200001);
  await database.query(
    `insert into webhook_endpoints (site_id, id, url, event_types, state, created_by, client_id, sealed_secret)
     select $1, id, 'https://example.com', '{}', 'enabled', $2, 'client', '' from unnest($3::uuid[]) as ids (id)`,
    [SITE, SITE, [SITE, ENDPOINT]],
  );
  await database.query(
    `insert into webhook_queues (site_id, endpoint_id, failing_since, due_at)
     values ($1, $1, now(), null), ($1, $2, now(), now())`,
    [SITE, ENDPOINT],
  );
  await database.history.up();
  const read = 'select endpoint_id from webhook_queues where failing_since is not null';
  expect(await database.query(read)).toEqual([{ endpoint_id: ENDPOINT }]);
});
