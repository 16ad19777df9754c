import { testDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import pg from 'pg';
import { AUDIENCES } from '#src/fan-outs/audiences.js';
import { catalog } from './catalog.js';
import { uuid } from './model/numbers.js';

const [SITE, PERSON, PURCHASE] = [uuid(1, 1), uuid(2, 1), uuid(3, 1)];

let database: TestDatabase;
let client: pg.Client;

/** 100 things and 30,000 holdings; every tenth belongs to the member. */
const ROWS = [
  `INSERT INTO digital_products SELECT gen_random_uuid(), $1, 1, n::text, 'x', NULL, NULL, 'published', NULL, '[]' FROM generate_series(1, 100) n`,
  `INSERT INTO consulting_services SELECT gen_random_uuid(), $1, 1, n::text, 'x', 'published', NULL, NULL, 'UTC' FROM generate_series(1, 100) n`,
  `INSERT INTO events SELECT gen_random_uuid(), $1, 1, n::text, 'x', NULL, 'zoom', NULL, NULL, now(), now(), 'UTC', 'published' FROM generate_series(1, 100) n`,
  `INSERT INTO digital_product_grants
   SELECT gen_random_uuid(), $1, CASE WHEN n % 10 = 0 THEN $2::uuid ELSE gen_random_uuid() END, d.id, 1, 'active', now() - n * interval '1 minute', NULL
   FROM generate_series(1, 30000) n JOIN (SELECT digital_product_id AS id, slug::int AS place FROM digital_products) d ON d.place = n % 100 + 1`,
  `INSERT INTO consulting_purchases
   SELECT gen_random_uuid(), $1, CASE WHEN n % 10 = 0 THEN $2::uuid ELSE gen_random_uuid() END, d.id, 1, 'active', now() - n * interval '1 minute', NULL, 1, 0
   FROM generate_series(1, 30000) n JOIN (SELECT consulting_service_id AS id, slug::int AS place FROM consulting_services) d ON d.place = n % 100 + 1`,
  `INSERT INTO event_registrations
   SELECT gen_random_uuid(), $1, CASE WHEN n % 10 = 0 THEN $2::uuid ELSE gen_random_uuid() END, d.id, 1, 'registered', now() - n * interval '1 minute', NULL, NULL
   FROM generate_series(1, 30000) n JOIN (SELECT event_id AS id, slug::int AS place FROM events) d ON d.place = n % 100 + 1`,
  `INSERT INTO consulting_bookings
   SELECT gen_random_uuid(), $1, $2, CASE WHEN n % 10 = 0 THEN '${PURCHASE}'::uuid ELSE gen_random_uuid() END, 1, now() - n * interval '1 minute', now(), 'completed', NULL
   FROM generate_series(1, 30000) n`,
  `INSERT INTO courses (course_id, site_id, version, slug, name, state)
   SELECT gen_random_uuid(), $1, 1, n::text, 'x', 'published' FROM generate_series(1, 100) n`,
  // Those in the first course are not announced.
  `INSERT INTO enrollments (enrollment_id, site_id, person_id, course_id, version, state, started_at, completion_rate, announced_at)
   SELECT gen_random_uuid(), $1, gen_random_uuid(), c.id, 1, 'active', now(), 0, CASE WHEN n % 100 > 0 THEN now() END
   FROM generate_series(1, 30000) n JOIN (SELECT course_id AS id, slug::int AS place FROM courses) c ON c.place = n % 100 + 1`,
];

beforeAll(async () => {
  database = await testDatabase('learner');
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const statement of ROWS) {
    const values = statement.includes('$2') ? [SITE, PERSON] : [SITE];
    await client.query(statement, values);
  }
  await client.query('ANALYZE');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('a page of a long list', () => {
  it.each([
    ['Viewer', 'digitalProducts', 'digital_product_grant_page'],
    ['Viewer', 'consultingServices', 'consulting_purchase_page'],
    ['Viewer', 'eventRegistrations', 'event_registration_page'],
    ['PurchasedConsultingService', 'bookings', 'consulting_booking_page'],
  ])('reads a page of %s.%s in the order of %s, without sorting', async (type, field, index) => {
    const source = catalog.sources[type]?.[field];
    if (source?.kind !== 'connection') throw new Error('It is no connection');
    const [time, id] = source.keys;
    const from = source.from
      .replaceAll(/:site\b/g, `'${SITE}'`)
      .replaceAll(/:person\b/g, `'${PERSON}'`)
      .replaceAll('q.purchase_id', type === 'Viewer' ? 'q.purchase_id' : `'${PURCHASE}'`);
    const page = `SELECT ${id} FROM ${from} AND (${time}, ${id}) < (now(), '${uuid(9, 9)}') ORDER BY ${time} DESC, ${id} DESC LIMIT 20`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${page}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(`using ${index}`);
    expect(plan).not.toMatch(/Sort/);
  });
});

describe('a batch of a fan-out', () => {
  it.each([
    ['product_holders', 'digital_products', 'digital_product_id', 'digital_product_grant_audience'],
    ['service_holders', 'consulting_services', 'consulting_service_id', 'consulting_purchase_audience'],
    ['new_enrollments', 'courses', 'course_id', 'enrollment_unannounced'],
  ] as const)('finds %s in %s by %s with %s', async (audience, table, key, index) => {
    const values: Record<string, string> = {
      $1: `'${SITE}'`,
      $2: `(SELECT ${key} FROM ${table} WHERE slug = '1')`,
      $3: `'${uuid(0, 0)}'`,
      $4: '500',
    };
    const text = AUDIENCES[audience].recipients.replaceAll(/\$\d/g, (name) => values[name] ?? name);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan on (digital_product_grants|consulting_purchases|enrollments)/);
  });
});
