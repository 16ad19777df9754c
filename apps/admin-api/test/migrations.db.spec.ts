import { randomUUID } from 'node:crypto';
import { MigrationHistory, emptyDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { databaseOptions } from '#src/database.js';
import { AmericanSpelling1764000030010 } from '#src/migrations/1764000030010-american-spelling.js';
import { Money1764000030020 } from '#src/migrations/1764000030020-money.js';

const SITE = randomUUID();
let database: TestDatabase;
let source: DataSource;
let runner: QueryRunner;
let history: MigrationHistory<QueryRunner>;

beforeAll(async () => {
  database = await emptyDatabase('school');
  source = await new DataSource({ type: 'postgres', url: database.url, installExtensions: false }).initialize();
  runner = source.createQueryRunner();
  const { migrations } = databaseOptions({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 1 });
  history = new MigrationHistory(runner, migrations);
});
afterEach(() => history.down());
afterAll(async () => {
  await runner?.release();
  await source?.destroy();
  await database?.drop();
});

it('migrates up, down to an empty schema, and up to the same schema', async () => {
  const empty = await history.catalog();
  await history.up();
  const first = await history.catalog();
  expect(Object.keys(first)).toContain('table courses');
  await history.down();
  expect(await history.catalog()).toEqual(empty);
  await history.up();
  expect(await history.catalog()).toEqual(first);
});

it('spells the state of canceled events in both directions', async () => {
  await history.before(AmericanSpelling1764000030010);
  for (const state of ['cancelled', 'ended']) {
    await runner.query(
      `insert into events (site_id, slug, name, state, hosting_type, starts_at, ends_at, timezone)
       values ($1, $2, 'An event', $2, 'zoom', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z', 'UTC')`,
      [SITE, state],
    );
  }
  const states = (): Promise<unknown> => runner.query('select slug, state, version from events order by slug');
  await history.up(AmericanSpelling1764000030010);
  expect(await states()).toEqual([
    { slug: 'cancelled', state: 'canceled', version: 2 },
    { slug: 'ended', state: 'ended', version: 1 },
  ]);
  await expect(runner.query(`update events set state = 'cancelled'`)).rejects.toThrow('events_state_check');
  await history.down(AmericanSpelling1764000030010);
  expect(await states()).toEqual([
    { slug: 'cancelled', state: 'cancelled', version: 3 },
    { slug: 'ended', state: 'ended', version: 1 },
  ]);
});

describe('the migration of money', () => {
  const MOST_OF_INT4 = '2147483647';

  const amounts = async (): Promise<Record<string, unknown>> => {
    const rows = (await runner.query(`
      select 'product' as name, price_amount_minor::text as amount from digital_products
      union all select 'compared', compare_at_amount_minor::text from digital_products
      union all select 'ticket', price_amount_minor::text from event_tickets
      union all select 'plan', price_amount_minor::text from membership_plan_prices`)) as {
      name: string;
      amount: string;
    }[];
    return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
  };

  beforeEach(async () => {
    await history.before(Money1764000030020);
    await runner.query(
      `with event as (
         insert into events (site_id, slug, name, hosting_type, starts_at, ends_at, timezone)
         values ($1, 'e', 'E', 'zoom', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z', 'UTC') returning id),
       plan as (
         insert into membership_plans (site_id, slug, name, plan_type) values ($1, 'p', 'P', 'recurring') returning id),
       product as (
         insert into digital_products
           (site_id, slug, name, price_amount_minor, price_currency, compare_at_amount_minor)
         values ($1, 'd', 'D', ${MOST_OF_INT4}, 'TWD', 0)),
       ticket as (
         insert into event_tickets (site_id, event_id, name, price_amount_minor, price_currency, position)
         select $1, id, 'T', 150000, 'TWD', 1 from event)
       insert into membership_plan_prices (site_id, plan_id, price_amount_minor, price_currency, position)
       select $1, id, 1, 'TWD', 1 from plan`,
      [SITE],
    );
  });

  it('keeps amounts in both directions', async () => {
    const before = await amounts();
    expect(before).toEqual({ product: MOST_OF_INT4, compared: '0', ticket: '150000', plan: '1' });
    await history.up(Money1764000030020);
    expect(await amounts()).toEqual(before);
    await history.down(Money1764000030020);
    expect(await amounts()).toEqual(before);
  });

  it('accepts amounts up to the largest exact integer of JSON, and refuses to go down with them', async () => {
    const set = (amount: string): Promise<unknown> =>
      runner.query('update event_tickets set price_amount_minor = $1', [amount]);
    await expect(set('2147483648')).rejects.toThrow('out of range');
    await history.up(Money1764000030020);
    await set(String(Number.MAX_SAFE_INTEGER));
    await expect(set('9007199254740992')).rejects.toThrow('event_tickets_price_amount_minor_exact');
    await expect(history.down(Money1764000030020)).rejects.toThrow('out of range');
    expect(await amounts()).toMatchObject({ ticket: String(Number.MAX_SAFE_INTEGER) });
    await set('0');
  });
});
