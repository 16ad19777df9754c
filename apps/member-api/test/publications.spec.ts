import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type pg from 'pg';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';

/** Members at one publication: more than two batches. */
const CROWD = 1_201;
const BATCH = 500;
const PUBLISHED = { version: 2, name: 'published' };
/** The end of a fan-out that fails. */
let failing: string | undefined;

let api: TestApi;
let database: pg.Client;
let site_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  ({ site_id } = api.sites[0]);
  api.service.app.get(FanOutsService, { strict: false }).onEnd((_tx, { occasion }) => {
    if (failing === undefined || !occasion.startsWith(failing)) return Promise.resolve();
    failing = undefined;
    return Promise.reject(new Error('The process ended'));
  });
});
afterAll(() => api.stop());

async function count(text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select count(*)::int as n from ${text}`, values);
  return rows[0]?.n ?? -1;
}

/** Waits until the fan-outs whose occasions begin so have ended. */
const ended = (prefix: string): Promise<number> =>
  eventually(() => count('fan_outs where starts_with(occasion, $1) and ended_at is not null', [prefix]));

/** Enrolls members who are not announced. */
const enroll = (course_id: string, members: number) =>
  database.query(
    `insert into enrollments (enrollment_id, site_id, person_id, course_id, version, state, started_at, completion_rate)
     select uuidv7(), $1, uuidv7(), $2, 1, 'active', now(), 0 from generate_series(1, $3::int)`,
    [site_id, course_id, members],
  );

/** The notifications of the enrollments in a course. */
const OF_COURSE = `notifications n join enrollments e on n.occasion = 'enrollment:' || e.enrollment_id
  where e.course_id = $1 and n.person_id = e.person_id and n.subject_id = e.enrollment_id`;

/** The number of notifications of each transaction. */
async function batches(course_id: string): Promise<number[]> {
  const text = `select count(*)::int as n from ${OF_COURSE} group by n.created_at order by n.created_at`;
  const { rows } = await database.query<{ n: number }>(text, [course_id]);
  return rows.map(({ n }) => n);
}

/** Publishes a draft course with members, and returns it. */
async function publishCourse(members: number) {
  const draft = await api.world.course({ site_id, state: 'draft' });
  await eventually(() => count('courses where course_id = $1', [draft.course_id]));
  await enroll(draft.course_id, members);
  await api.world.course({ ...draft, state: 'published' }, PUBLISHED);
  await eventually(() => count(`courses where course_id = $1 and state = 'published'`, [draft.course_id]));
  return draft;
}

describe('the publication of a course', () => {
  it('notifies each member once, in batches, also after a batch that fails', async () => {
    failing = 'enrollments:';
    const { course_id, slug, name } = await publishCourse(CROWD);
    const prefix = `enrollments:${course_id}:`;
    await eventually(() =>
      count('fan_outs where starts_with(occasion, $1) and attempts = 1 and due_at < now() + $2', [prefix, '20 s']),
    );
    expect([failing, await batches(course_id)]).toEqual([undefined, [BATCH, BATCH]]);
    await database.query('update fan_outs set due_at = now() where starts_with(occasion, $1)', [prefix]);
    await ended(prefix);
    expect(await batches(course_id)).toEqual([BATCH, BATCH, CROWD - 2 * BATCH]);
    expect(await count(`enrollments where course_id = $1 and announced_at is null`, [course_id])).toBe(0);
    const { rows } = await database.query(
      `select distinct n.kind, n.path, n.parameters, (select count(distinct i.person_id)::int from inbox_counts i
         join enrollments e using (person_id) where e.course_id = $1 and i.unread = 1) as people from ${OF_COURSE}`,
      [course_id],
    );
    expect(rows).toEqual([
      { kind: 'course_enrolled', path: `/courses/${slug}`, parameters: { course: name }, people: CROWD },
    ]);
  });

  it('notifies the members of a batch in the transaction of the event', async () => {
    const { course_id } = await publishCourse(BATCH - 1);
    expect(await batches(course_id)).toEqual([BATCH - 1]);
    expect(await count('fan_outs where audience_id = $1', [course_id])).toBe(0);
  });

  it('notifies many members again after another import', async () => {
    const course = await publishCourse(BATCH + 1);
    await eventually(async () => (await count(OF_COURSE, [course.course_id])) === BATCH + 1);
    await enroll(course.course_id, BATCH + 1);
    await api.world.course(course, { version: 3, name: 'unpublished' });
    await api.world.course({ ...course, state: 'published' }, { version: 4, name: 'published' });
    const notified = await eventually(async () => {
      const found = await count(OF_COURSE, [course.course_id]);
      return found > BATCH + 1 + BATCH ? found : undefined;
    });
    expect(notified).toBe(2 * (BATCH + 1));
  });
});

interface Case {
  readonly kind: string;
  /** Publishes a draft, and returns its id and a function that publishes it. */
  readonly draft: (world: PurchaseWorld) => Promise<{ id: string; publish: () => Promise<unknown> }>;
  readonly table: string;
  /** Sends the event of a purchase. */
  readonly buy: (world: PurchaseWorld, id: string, person_id: string) => Promise<unknown>;
  /** Inserts a purchase of each person by `$1` site, `$2` people, `$3` id of the draft, `$4` age, `$5` state. */
  readonly insert: string;
}

const now = (): string => new Date().toISOString();
const PRODUCT: Case = {
  kind: 'product_granted',
  table: 'digital_products where digital_product_id = $1',
  draft: async (world) => {
    const draft = await world.product({ site_id, state: 'draft' });
    const publish = () => world.product({ ...draft, state: 'published' }, PUBLISHED);
    return { id: draft.digital_product_id, publish };
  },
  buy: (world, digital_product_id, person_id) =>
    world.grant({ site_id, person_id, digital_product_id, granted_at: now() }),
  insert: `insert into digital_product_grants (grant_id, site_id, person_id, digital_product_id, version, state, granted_at)
    select uuidv7(), $1, person_id, $3, 1, $5, now() - $4::interval from unnest($2::uuid[]) person_id`,
};
const SERVICE: Case = {
  kind: 'consulting_granted',
  table: 'consulting_services where consulting_service_id = $1',
  draft: async (world) => {
    const draft = await world.service({ site_id, state: 'draft' });
    const publish = () => world.service({ ...draft, state: 'published' }, PUBLISHED);
    return { id: draft.consulting_service_id, publish };
  },
  buy: (world, consulting_service_id, person_id) =>
    world.purchase({ site_id, person_id, consulting_service_id, purchased_at: now() }),
  insert: `insert into consulting_purchases (purchase_id, site_id, person_id, consulting_service_id, version, state, purchased_at,
      sessions_total, sessions_used) select uuidv7(), $1, person_id, $3, 1, $5, now() - $4::interval, 1, 0 from unnest($2::uuid[]) person_id`,
};

describe.each([
  ['product', PRODUCT],
  ['service', SERVICE],
])('the publication of a %s', (what, { kind, draft, table, buy, insert }) => {
  it('leaves no fan-out waiting before, and notifies who got it in the last three days, once for each', async () => {
    const world = new PurchaseWorld(api.world);
    const { id, publish } = await draft(world);
    await eventually(() => count(table, [id]));
    const buyer = uuidv7();
    await buy(world, id, buyer);
    await ended(`${kind}:`);
    const mine = `notifications where kind = '${kind}'`;
    expect([await count(mine), await count('fan_outs where ended_at is null')]).toEqual([0, 0]);

    const give = (people: string[], age = '1 hour', state = 'active') =>
      database.query(insert, [site_id, people, id, age, state]);
    const people = Array.from({ length: BATCH + 10 }, () => uuidv7());
    await give(people);
    // The last person of the first batch, which begins with the buyer, has two.
    const twice = people.toSorted()[BATCH - 2] ?? '';
    await give([twice]);
    await give([uuidv7()], '3 days 1 minute');
    await give([uuidv7()], '1 hour', 'revoked');
    await publish();
    await ended(`${what}_holders:`);
    const { rows } = await database.query<{ person_id: string; n: number }>(
      `select person_id, count(*)::int as n from ${mine} group by person_id`,
    );
    const received = new Map(rows.map(({ person_id, n }) => [person_id, n]));
    expect(received).toEqual(new Map([...people, buyer].map((person_id) => [person_id, person_id === twice ? 2 : 1])));
  });
});
