import { startMemberApi } from './member-api.js';
import type { ReceivedResponse, Data, TestApi } from './member-api.js';

const COUNT = 45;
const ALL =
  '{ viewer { enrolledCourses(first: 100) { totalCount nodes { id } } notifications(first: 100) { totalCount edges { cursor node { id } } } } }';

let api: TestApi;
let ids: string[];

beforeAll(async () => {
  api = await startMemberApi();
  for (const site of api.sites) {
    const { person_id } = api.student(site, 'both');
    await api.world.person({ person_id });
    await api.world.role({ person_id, site_id: site.site_id });
    const { course_id } = await api.world.course({ site_id: site.site_id });
    await Promise.all(
      Array.from({ length: COUNT }, (_, n) =>
        api.world.enrollment({
          site_id: site.site_id,
          person_id,
          course_id,
          // Three rows per instant, ordered by id.
          started_at: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 3))).toISOString(),
        }),
      ),
    );
    const own = api.student(site);
    await api.world.person({ person_id: own.person_id });
    await api.world.role({ person_id: own.person_id, site_id: site.site_id });
    await api.world.enrollment({ site_id: site.site_id, person_id: own.person_id, course_id });
    const complete = (data: Data) => data.viewer?.notifications.totalCount === COUNT;
    const data = await api.until(ALL, complete, { site, token: await both(site) });
    if (site === api.sites[0]) ids = data.viewer.enrolledCourses.nodes.map(({ id }: { id: string }) => id);
  }
});
afterAll(() => api.stop());

const both = (site = api.sites[0]) => api.token({ site, person: api.student(site, 'both') });
const code = ({ body }: ReceivedResponse) => body.errors?.[0]?.extensions.code;
const QUERY = `query ($first: Int, $after: String, $last: Int, $before: String) { viewer {
  enrolledCourses(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
} }`;
const page = async (variables: Record<string, unknown>) => {
  const { body } = await api.query(QUERY, { variables, token: await both() });
  expect(body.errors).toBeUndefined();
  return body.data.viewer.enrolledCourses;
};
const changedAt = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
const idsOf = (connection: Data): string[] => connection.edges.map(({ node }: Data) => node.id);

describe('a list of the member', () => {
  it.each([1, 7, 44, 45, 100])('returns the whole list forward in pages of %i', async (first) => {
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const { pageInfo, ...connection } = await page({ first, after });
      seen.push(...idsOf(connection));
      expect(pageInfo.hasPreviousPage).toBe(after !== null);
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(seen).toEqual(ids);
  });

  it.each([1, 7, 44, 45, 100])('returns the whole list backward in pages of %i', async (last) => {
    const seen: string[] = [];
    let before: string | null = null;
    for (;;) {
      const { pageInfo, ...connection } = await page({ last, before });
      seen.unshift(...idsOf(connection));
      expect(pageInfo.hasNextPage).toBe(before !== null);
      if (!pageInfo.hasPreviousPage) break;
      before = pageInfo.startCursor;
    }
    expect(seen).toEqual(ids);
  });

  it('returns 20 items per page by default', async () => {
    expect(idsOf(await page({}))).toEqual(ids.slice(0, 20));
  });

  it('returns the same rows between two cursors from both ends', async () => {
    const { edges } = await page({ first: 10 });
    const bounds = { after: edges[1].cursor, before: edges[8].cursor };
    expect(idsOf(await page({ ...bounds, first: 100 }))).toEqual(ids.slice(2, 8));
    expect(idsOf(await page({ ...bounds, last: 2 }))).toEqual(ids.slice(6, 8));
  });

  it('returns an empty page without cursors after the end', async () => {
    const { pageInfo } = await page({ last: 1 });
    const beyond = await page({ first: 5, after: pageInfo.endCursor });
    expect(beyond).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });

  it('continues at the same row after newer items arrive', async () => {
    const { edges } = await page({ first: 5 });
    expect(idsOf(await page({ first: 5, after: edges[4].cursor }))).toEqual(ids.slice(5, 10));
  });
});

describe('a size', () => {
  it.each([
    ['first: 1', undefined],
    ['first: 100', undefined],
    ['last: 100', undefined],
    ['first: 0', 'FIRST_OUT_OF_RANGE'],
    ['first: 101', 'FIRST_OUT_OF_RANGE'],
    ['first: -1', 'FIRST_OUT_OF_RANGE'],
    ['last: 0', 'FIRST_OUT_OF_RANGE'],
    ['last: 101', 'FIRST_OUT_OF_RANGE'],
    ['first: 1, last: 1', 'VALIDATION_FAILED'],
    ['first: 1000000000', 'FIRST_OUT_OF_RANGE'],
  ])('returns for %s the error %s', async (given, expected) => {
    const response = await api.query(`{ viewer { name enrolledCourses(${given}) { nodes { id } } } }`, {
      token: await both(),
    });
    expect(code(response)).toBe(expected);
    expect(response.body.data.viewer.name).toBe('Ada Example');
    expect(response.body.data.viewer.enrolledCourses === null).toBe(expected !== undefined);
  });

  it('nulls only the list with an out-of-range size, at its path', async () => {
    const query =
      '{ v: viewer { bad: enrolledCourses(first: 101) { nodes { id } } good: enrolledCourses(first: 1) { nodes { id } } } }';
    const { body } = await api.query(query, { token: await both() });
    expect(body.data).toEqual({ v: { bad: null, good: { nodes: [{ id: ids[0] }] } } });
    expect(body.errors).toMatchObject([{ path: ['v', 'bad'], locations: [{ line: 1, column: 15 }] }]);
  });
});

describe('a cursor', () => {
  const cursors = async (site: TestApi['sites'][number], token: string) => {
    const { body } = await api.query(
      ALL.replace('enrolledCourses(first: 100) { totalCount nodes { id } }', 'enrolledCourses { edges { cursor } }'),
      {
        site,
        token,
      },
    );
    const { enrolledCourses, notifications } = body.data.viewer;
    return { course: enrolledCourses.edges[0].cursor as string, notification: notifications.edges[0].cursor as string };
  };

  it('rejects a cursor of another list', async () => {
    const token = await both();
    const { course, notification } = await cursors(api.sites[0], token);
    const at = (list: string, cursor: string) =>
      api.query(`{ viewer { ${list}(after: "${cursor}") { nodes { id } } } }`, { token });
    expect(code(await at('enrolledCourses', course))).toBeUndefined();
    expect(code(await at('notifications', notification))).toBeUndefined();
    expect(code(await at('enrolledCourses', notification))).toBe('INVALID_CURSOR');
    expect(code(await at('notifications', course))).toBe('INVALID_CURSOR');
  });

  it('rejects a cursor of another person', async () => {
    const { course } = await cursors(api.sites[0], await api.token());
    const response = await api.query(QUERY, { variables: { after: course }, token: await both() });
    expect([code(response), response.body.data]).toEqual(['INVALID_CURSOR', { viewer: { enrolledCourses: null } }]);
  });

  it('rejects a cursor of the same person at another site', async () => {
    const [, other] = api.sites;
    const { course } = await cursors(other, await both(other));
    expect(code(await api.query(QUERY, { variables: { before: course }, token: await both() }))).toBe('INVALID_CURSOR');
  });

  const PLAIN = Buffer.from('["2026-01-01T00:00:00Z","018f0000-0000-7000-8000-000000000000"]').toString('base64url');
  it.each(['', ' ', 'x', 'AAAA', "' OR 1=1 --", '0'.repeat(54), PLAIN, '\u0000', '\uD800', 'A'.repeat(100_000)])(
    'rejects %j as a cursor',
    async (after) => {
      expect(code(await api.query(QUERY, { variables: { after }, token: await both() }))).toBe('INVALID_CURSOR');
    },
  );

  it.each<[string, (own: string) => readonly string[]]>([
    // Every fifth character.
    ['changed', (own) => Array.from(own, (_, at) => changedAt(own, at)).filter((_, at) => at % 5 === 0)],
    ['cut', (own) => [own.slice(0, -4)]],
    ['lengthened', (own) => [`${own}AAAA`]],
    ['repeated', (own) => [own + own]],
    ['padded', (own) => [`${own}==`]],
  ])('rejects its own cursor when it is %s', async (_how, change) => {
    const token = await both();
    const { course } = await cursors(api.sites[0], token);
    const changed = change(course);
    const responses = await Promise.all(changed.map((after) => api.query(QUERY, { variables: { after }, token })));
    expect(responses.map(code)).toEqual(changed.map(() => 'INVALID_CURSOR'));
    expect(changed.length).toBeGreaterThan(0);
  });
});
