import { PERSONAL_DATA_PAGE, MEMBER_DATA_SECTIONS, REQUEST_HEADERS, exportMemberData } from '@lyceum/contracts';
import type { MemberDataSection, Reply } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import { LEFT_OUT, PERSONAL_TABLES } from '#src/personal-data/personal-data.repository.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';

let api: TestApi;
/** The NATS user of auth. */
let identity: NatsConnection;

beforeAll(async () => {
  api = await startMemberApi();
  identity = await connectAs(api.nats.environment('auth'));
});
afterAll(async () => {
  await identity.close();
  await api.stop();
});

const sql = (text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
  api.service.app.get(DataSource).query(text, [...values]);

async function ask(input: object, site_id = api.sites[0].site_id): Promise<Reply> {
  const written = headers();
  written.set(REQUEST_HEADERS.site, site_id);
  written.set(REQUEST_HEADERS.deadline, String(Date.now() + 30_000));
  const body = JSON.stringify({ offset: 0, ...input });
  return (await identity.request(exportMemberData.subject, body, { timeout: 30_000, headers: written })).json<Reply>();
}
async function rowsOf(person_id: string, section: MemberDataSection, more: { offset?: number; site_id?: string } = {}) {
  const { site_id, ...input } = more;
  const reply = await ask({ person_id, section, ...input }, site_id);
  if (!reply.ok) throw new Error(reply.error.detail);
  return exportMemberData.output.parse(reply.result);
}

describe('export_member_data', () => {
  it('responds for each section, also for an unknown person', async () => {
    for (const section of MEMBER_DATA_SECTIONS) {
      expect(await rowsOf(uuidv7(), section)).toEqual({ rows: [], more: false });
    }
  });

  it('covers each table with a person', async () => {
    const found = await sql(
      `select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'person_id' order by 1`,
    );
    const tables = [...Object.values(PERSONAL_TABLES).map(([table]) => table), ...Object.keys(LEFT_OUT)];
    expect(found.map(({ name }) => name)).toEqual(tables.toSorted());
  });

  it('returns the rows of the person at the site, without technical columns', async () => {
    const [person_id, other] = [uuidv7(), uuidv7()];
    const [{ site_id }, there] = api.sites;
    const insert = (person: string, site: string, position: number) =>
      sql(
        `insert into playbacks (site_id, person_id, course_id, lecture_id, position_seconds, watched_at)
         values ($1, $2, gen_random_uuid(), gen_random_uuid(), $3, now())`,
        [site, person, position],
      );
    await insert(person_id, site_id, 1);
    await insert(person_id, there.site_id, 2);
    await insert(other, site_id, 3);
    const { rows } = await rowsOf(person_id, 'playbacks');
    expect(rows).toEqual([expect.objectContaining({ position_seconds: 1 })]);
    expect(Object.keys(rows[0] ?? {}).filter((name) => /site_id|person_id|epoch|version/.test(name))).toEqual([]);
    const elsewhere = await rowsOf(person_id, 'playbacks', { site_id: there.site_id });
    expect(elsewhere.rows).toMatchObject([{ position_seconds: 2 }]);
  });

  it('returns the settings of notifications that the person has chosen', async () => {
    const person_id = uuidv7();
    await sql(
      `insert into notification_subscriptions (site_id, person_id, topic, entity_id, version, active, in_app, email,
         updated_at, inherited_active, inherited_in_app)
       values ($1, $2, 'new_lecture', gen_random_uuid(), 1, true, true, false, now(), true, false)`,
      [api.sites[0].site_id, person_id],
    );
    const { rows } = await rowsOf(person_id, 'notification_subscriptions');
    expect(rows).toEqual([
      {
        topic: 'new_lecture',
        entity_id: expect.any(String),
        active: null,
        in_app: true,
        email: false,
        updated_at: expect.any(String),
      },
    ]);
  });

  it.each([0, 1])('pages a section, with %i rows beyond the page', async (beyond) => {
    const person_id = uuidv7();
    await sql(
      `insert into playbacks (site_id, person_id, course_id, lecture_id, position_seconds, watched_at)
       select $1, $2, gen_random_uuid(), gen_random_uuid(), n, now() from generate_series(1, $3::int) n`,
      [api.sites[0].site_id, person_id, PERSONAL_DATA_PAGE + beyond],
    );
    const first = await rowsOf(person_id, 'playbacks');
    expect([first.rows.length, first.more]).toEqual([PERSONAL_DATA_PAGE, beyond > 0]);
    const second = await rowsOf(person_id, 'playbacks', { offset: PERSONAL_DATA_PAGE });
    expect([second.rows.length, second.more]).toEqual([beyond, false]);
    const all = [...first.rows, ...second.rows].map((row) => row['position_seconds']);
    expect(new Set(all).size).toBe(PERSONAL_DATA_PAGE + beyond);
  });

  it.each([{ section: 'people' }, { person_id: 'x' }, { offset: -1 }, { section: '; drop table playbacks' }])(
    'refuses %j',
    async (wrong) => {
      const reply = await ask({ person_id: uuidv7(), section: 'playbacks', ...wrong });
      expect(reply).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
    },
  );
});
