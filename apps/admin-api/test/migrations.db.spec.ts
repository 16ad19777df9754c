import { randomUUID } from 'node:crypto';
import { MigratedDatabase } from '@lyceum/testing';
import { AmericanSpelling1764000030010 } from '#src/migrations/1764000030010-american-spelling.js';
import { Money1764000030020 } from '#src/migrations/1764000030020-money.js';
import { Analytics1764000255000 } from '#src/migrations/1764000255000-analytics.js';
import { AnalyticsMarks1764000255001 } from '#src/migrations/1764000255001-analytics-marks.js';
import { FileUses1764000210000 } from '#src/migrations/1764000210000-file-uses.js';
import { DigitalProducts1764000244000 } from '#src/migrations/1764000244000-digital-products.js';
import { Pages1764000251000 } from '#src/migrations/1764000251000-pages.js';
import { Members1764000160001 } from '#src/migrations/1764000160001-members.js';
import { MembershipPlans1764000242000 } from '#src/migrations/1764000242000-membership-plans.js';
import { SCHOOL_MIGRATIONS } from './open-database.js';

const SITE = randomUUID();
let database: MigratedDatabase;
let history: MigratedDatabase['history'];

beforeAll(async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
  ({ history } = database);
});
afterEach(() => history.down());
afterAll(() => database?.close());

it('migrates up, down to an empty schema, and up to the same schema', async () => {
  const { empty, up, down, again } = await history.roundTrip();
  expect(Object.keys(up)).toContain('table courses');
  expect(down).toEqual(empty);
  expect(again).toEqual(up);
});

it('spells the state of canceled events in both directions', async () => {
  await history.before(AmericanSpelling1764000030010);
  for (const state of ['cancelled', 'ended']) {
    await database.query(
      `insert into events (site_id, slug, name, state, hosting_type, starts_at, ends_at, timezone)
       values ($1, $2, 'An event', $2, 'zoom', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z', 'UTC')`,
      [SITE, state],
    );
  }
  const states = (): Promise<unknown> => database.query('select slug, state, version from events order by slug');
  await history.up(AmericanSpelling1764000030010);
  expect(await states()).toEqual([
    { slug: 'cancelled', state: 'canceled', version: 2 },
    { slug: 'ended', state: 'ended', version: 1 },
  ]);
  await expect(database.query(`update events set state = 'cancelled'`)).rejects.toThrow('events_state_check');
  await history.down(AmericanSpelling1764000030010);
  expect(await states()).toEqual([
    { slug: 'cancelled', state: 'cancelled', version: 3 },
    { slug: 'ended', state: 'ended', version: 1 },
  ]);
});

describe('the migration of money', () => {
  const MOST_OF_INT4 = '2147483647';

  const amounts = async (): Promise<Record<string, unknown>> => {
    const rows = (await database.query(`
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
    await database.query(
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
      database.query('update event_tickets set price_amount_minor = $1', [amount]);
    await expect(set('2147483648')).rejects.toThrow('out of range');
    await history.up(Money1764000030020);
    await set(String(Number.MAX_SAFE_INTEGER));
    await expect(set('9007199254740992')).rejects.toThrow('event_tickets_price_amount_minor_exact');
    await expect(history.down(Money1764000030020)).rejects.toThrow('out of range');
    expect(await amounts()).toMatchObject({ ticket: String(Number.MAX_SAFE_INTEGER) });
    await set('0');
  });
});

it('keeps the people of people_roles as members in both directions, without those of unknown memberships', async () => {
  await history.before(Members1764000160001);
  const [owner, former, unknown] = [randomUUID(), randomUUID(), randomUUID()];
  for (const [id, email, roles] of [
    [owner, 'a@example.com', ['owner']],
    [former, 'b@example.com', []],
    [null, 'c@example.com', ['student']],
  ] as const) {
    await database.query(
      `insert into people_roles (site_id, person_id, member_id, email, name, roles, version)
       values ($1, $2, $3, $4, 'Mei Lin', $5, 7)`,
      [SITE, id ?? unknown, id, email, roles],
    );
  }
  await history.up(Members1764000160001);
  const read = 'select id, person_id, email, state, roles, source_version from members order by email';
  expect(await database.query(read)).toEqual([
    { id: owner, person_id: owner, email: 'a@example.com', state: 'active', roles: ['owner'], source_version: 0 },
    { id: former, person_id: former, email: 'b@example.com', state: 'removed', roles: [], source_version: 0 },
  ]);
  await history.down(Members1764000160001);
  expect(await database.query('select member_id, email, roles from people_roles order by email')).toEqual([
    { member_id: owner, email: 'a@example.com', roles: ['owner'] },
    { member_id: former, email: 'b@example.com', roles: [] },
  ]);
});

it('gives used files seven days when their uses are forgotten', async () => {
  await history.before(FileUses1764000210000);
  await database.query(
    `insert into files (site_id, uploader_id, purpose, filename, content_type, bytes, sha256, state, expires_at, sweep_at)
     values ($1, $1, 'logo', 'a.png', 'image/png', 1, $2, 'ready', now(), now() + interval '1 day')`,
    [SITE, '0'.repeat(64)],
  );
  const files = (): Promise<unknown> =>
    database.query(`select round(extract(epoch from sweep_at - now()) / 86400)::int as days, version from files`);
  await history.up(FileUses1764000210000);
  expect(await files()).toEqual([{ days: 1, version: 1 }]);
  await database.query(
    `with revision as (
       insert into appearance_revisions (site_id, version, settings, person_id, client_id)
       values ($1, 1, '{}', $1, 'office') returning id)
     insert into file_uses (site_id, file_id, appearance_revision_id)
     select $1, f.id, r.id from files f, revision r`,
    [SITE],
  );
  expect(await files()).toEqual([{ days: null, version: 1 }]);
  await history.down(FileUses1764000210000);
  expect(await files()).toEqual([{ days: 7, version: 1 }]);
});

it('keeps the end of fixed_date plans as the end of their access, and no withdrawn prices on the way down', async () => {
  await history.before(MembershipPlans1764000242000);
  const end = '2027-01-01T00:00:00.000Z';
  await database.query(
    `insert into membership_plans (site_id, slug, name, plan_type, ends_at)
     values ($1, 'fixed', 'F', 'fixed_date', $2), ($1, 'life', 'L', 'lifetime', $2)`,
    [SITE, end],
  );
  await history.up(MembershipPlans1764000242000);
  expect(await database.query('select slug, access_ends_at from membership_plans order by slug')).toEqual([
    { slug: 'fixed', access_ends_at: new Date(end) },
    { slug: 'life', access_ends_at: null },
  ]);
  await database.query(
    `insert into membership_plan_prices (site_id, plan_id, price_amount_minor, price_currency, position, active)
     select site_id, id, 1, 'TWD', active::int, active from membership_plans, (values (true), (false)) given (active)`,
  );
  await history.down(MembershipPlans1764000242000);
  expect(await database.query('select distinct position from membership_plan_prices')).toEqual([{ position: 1 }]);
  await database.query('delete from membership_plans');
});

it('keeps the prices of digital products, and drops files that were no uploads', async () => {
  await history.before(DigitalProducts1764000244000);
  await database.query(
    `insert into digital_products (site_id, slug, name, price_amount_minor, price_currency, compare_at_amount_minor, files)
     values ($1, 'a', 'A', 100, 'TWD', 200, '[{"file_id": "x", "storage_url": "https://files.example/x"}]'),
       ($1, 'b', 'B', 100, 'TWD', null, '[]')`,
    [SITE],
  );
  await history.up(DigitalProducts1764000244000);
  const read = 'select slug, compare_at_amount_minor::int as amount, files from digital_products order by slug';
  const [a, b] = [
    { slug: 'a', amount: 200, files: [] },
    { slug: 'b', amount: null, files: [] },
  ];
  expect(await database.query(read)).toEqual([a, b]);
  const currencies = await database.query('select compare_at_currency as currency from digital_products order by slug');
  expect(currencies).toEqual([{ currency: 'TWD' }, { currency: null }]);
  await history.down(DigitalProducts1764000244000);
  expect(await database.query(read)).toEqual([a, b]);
});

it('serves the text of pages from before as their index.html, and counts its bytes', async () => {
  await history.before(Pages1764000251000);
  const html = '<p>Größe</p>';
  await database.query(
    `with page as (
       insert into pages (site_id, slug, title, path_prefix, state, live_deployment_id)
       values ($1, 'about', 'About', '/pages/about', 'published', uuidv7()) returning site_id, id, live_deployment_id)
     insert into page_deployments (site_id, id, page_id, state, content_html, bytes, files_count, created_by)
     select site_id, live_deployment_id, id, 'live', $2, 1, 1, 'admin-api' from page`,
    [SITE, html],
  );
  await history.up(Pages1764000251000);
  const bytes = Buffer.byteLength(html);
  expect(
    await database.query(
      `select f.path, f.content_type, convert_from(f.content, 'UTF8') as text, f.sha256 = encode(sha256(f.content), 'hex') as whole,
         d.bytes, d.created_by, u.bytes::int as used
       from pages p
       join page_deployments d on d.site_id = p.site_id and d.id = p.live_deployment_id
       join page_files f on f.site_id = p.site_id and f.deployment_id = d.id
       join file_usage u on u.site_id = p.site_id`,
    ),
  ).toEqual([
    {
      path: 'index.html',
      content_type: 'text/html; charset=utf-8',
      text: html,
      whole: true,
      bytes,
      created_by: null,
      used: bytes,
    },
  ]);
  await history.down(Pages1764000251000);
  expect(
    await database.query(
      `select p.path_prefix, d.content_html, d.created_by, u.bytes::int as used
       from pages p join page_deployments d on d.id = p.live_deployment_id join file_usage u on u.site_id = p.site_id`,
    ),
  ).toEqual([{ path_prefix: '/pages/about', content_html: html, created_by: 'admin-api', used: 0 }]);
});

it('gives earlier subscriptions their prices, and marks what analytics have to count', async () => {
  await history.before(Analytics1764000255000);
  await database.query(
    `with student as (insert into students (site_id, email, name) values ($1, 's@example.com', 'S') returning id),
     plan as (
       insert into membership_plans (site_id, slug, name, plan_type) values ($1, 'p', 'P', 'recurring') returning id),
     price as (
       insert into membership_plan_prices (site_id, plan_id, billing_interval, interval_count, price_amount_minor,
         price_currency, position)
       select $1, plan.id, billing.*, 1001, 'TWD', row_number() over ()
       from plan, (values ('day', 1), ('week', 2), ('month', 2), ('year', 1)) billing
       returning id, plan_id, billing_interval, interval_count)
     insert into subscriptions (site_id, student_id, plan_id, price_id, plan_type, billing_interval, interval_count,
       started_at, current_period_start, current_period_end)
     select $1, student.id, plan_id, price.id, 'recurring', billing_interval, interval_count, '2026-01-01T10:20:00Z',
       '2026-01-01T10:20:00Z', '2026-02-01T10:20:00Z' from student, price`,
    [SITE],
  );
  await history.up(AnalyticsMarks1764000255001);
  const prices = `select billing_interval as every, monthly_minor::int as month, price_currency as currency,
    paying_from = started_at as counts from subscriptions order by monthly_minor`;
  expect(await database.query(prices)).toEqual([
    { every: 'year', month: 83, currency: 'TWD', counts: true },
    { every: 'month', month: 501, currency: 'TWD', counts: true },
    { every: 'week', month: 2175, currency: 'TWD', counts: true },
    { every: 'day', month: 30_447, currency: 'TWD', counts: true },
  ]);
  const marks = `select rollup, quarter at time zone 'UTC' = '2026-01-01T10:15:00' as exact from analytics_marks order by 1`;
  expect(await database.query(marks)).toEqual([
    { rollup: 'cohorts', exact: true },
    { rollup: 'memberships', exact: true },
  ]);
  await history.down(Analytics1764000255000);
  await database.query('delete from subscriptions; delete from membership_plans; delete from students');
});
