import { hash } from 'node:crypto';
import pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { ReceivedResponse, TestApi } from './member-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startMemberApi();
});
afterAll(() => api.stop());

const code = ({ body }: ReceivedResponse) => body.errors?.[0]?.extensions.code;
const cost = ({ body }: ReceivedResponse) => body.extensions?.cost.requested;
/** No event has introduced this member: the response is NOT_FOUND, after the limits have been checked. */
const passed = 'NOT_FOUND';

const dear = (last: number) =>
  `{ viewer { ${Array.from({ length: 9 }, (_, n) => `a${n}: enrolledCourses(first: 100) { nodes { id } }`).join(' ')} z: enrolledCourses(first: ${last}) { nodes { id } } } }`;

describe('the depth of a query', () => {
  const bookings = (leaf: string) =>
    `{ viewer { notifications { edges { node { subject { ... on PurchasedConsultingService { bookings { ${leaf} } } } } } } } }`;

  it('accepts a depth of 8 and rejects 9', async () => {
    expect(code(await api.query(bookings('nodes { id }')))).toBe(passed);
    expect(code(await api.query(bookings('edges { node { id } }')))).toBe('DEPTH_LIMIT_EXCEEDED');
  });

  it('reaches a depth of 8 in the deepest list', async () => {
    const deepest = '{ viewer { consultingServices { edges { node { bookings { edges { node { startsAt } } } } } } } }';
    expect(code(await api.query(deepest))).toBe(passed);
  });
});

describe('the cost of an operation', () => {
  it.each([
    ['{ __typename }', 1],
    ['{ viewer { id name email locale } }', 1],
    ['{ viewer { schools { id name } } }', 2],
    ['{ viewer { unreadNotificationCount enrolledCourses { totalCount } } }', 3],
    ['{ viewer { enrolledCourses { nodes { id slug } } } }', 2 + 20],
    ['{ viewer { enrolledCourses(first: 7) { edges { cursor node { id slug } } pageInfo { endCursor } } } }', 2 + 7],
    ['{ viewer { enrolledCourses(last: 3) { nodes { id lastWatchedLecture { lectureId } } } } }', 2 + 3 * 2],
    ['{ viewer { enrolledCourses(first: 3) { nodes { id } edges { node { id } } } } }', 2 + 3 * 2],
    [
      '{ viewer { a: notifications(first: 2) { nodes { subject { __typename } } } b: notifications(first: 3) { nodes { id } } } }',
      3 + 2 * 2 + 3,
    ],
    ['{ viewer { digitalProducts(first: 4) { nodes { id files { id downloadUrl } } } } }', 2 + 4 * 2],
    [
      '{ viewer { consultingServices(first: 3) { nodes { id bookings(first: 5) { nodes { id } } } } } }',
      2 + 3 * (2 + 5),
    ],
    [
      '{ viewer { enrolledCourses(first: 3) { nodes { nextLecture { id } lecturesCount completedLecturesCount } } } }',
      2 + 3 * (1 + 5 + 2),
    ],
    ['{ viewer { enrolledCourses(first: 2) { nodes { curriculum { title } } } } }', 2 + 2 * (1 + 6)],
    ['{ viewer { enrolledCourses(first: 2) { nodes { curriculum { lectures { id } } } } } }', 2 + 2 * (1 + 6 + 51)],
    [
      '{ viewer { enrolledCourses(first: 2) { nodes { curriculum { lectures { attachments { title } } } } } } }',
      2 + 2 * (1 + 6 + 51 + 26),
    ],
    [
      '{ viewer { enrolledCourses(first: 2) { nodes { descriptionHtml nextLecture { contentHtml playerUrl } } } } }',
      2 + 2 * (1 + 20 + 5 + 20 + 2),
    ],
    ['{ viewer { enrolledCourse(slug: "a") { lecture(id: "b") { contentHtml } } } }', 2 + 5 + 20],
    ['{ viewer { enrolledCourses @skip(if: true) { nodes { id } } } }', 1],
  ])('charges for %s the cost %i', async (query, expected) => {
    expect(cost(await api.query(query))).toBe(expected);
  });

  it('computes the cost from the variables', async () => {
    const query = 'query ($n: Int) { viewer { enrolledCourses(first: $n) { nodes { id } } } }';
    const costs = [{ n: 5 }, { n: 9 }, {}].map(async (variables) => cost(await api.query(query, { variables })));
    await expect(Promise.all(costs)).resolves.toEqual([7, 11, 22]);
  });

  it('accepts the contents and players of all lectures of a course, and rejects those of two', async () => {
    const whole = 'curriculum { lectures { title contentHtml playerUrl } }';
    const one = await api.query(`{ viewer { enrolledCourse(slug: "a") { ${whole} } } }`);
    expect([cost(one), code(one)]).toEqual([2 + 6 + 51 + (19 + 250) + (1 + 250), passed]);
    const courses = (count: number, fields: string) => {
      const each = Array.from({ length: count }, (_, n) => `c${n}: enrolledCourse(slug: "${n}") { ${fields} }`);
      return api.query(`{ viewer { ${each.join(' ')} } }`);
    };
    expect(code(await courses(2, whole))).toBe('COST_LIMIT_EXCEEDED');
    const contents = 'curriculum { lectures { contentHtml } }';
    expect(code(await courses(3, contents))).toBe(passed);
    expect(code(await courses(4, contents))).toBe('COST_LIMIT_EXCEEDED');
  });

  it('accepts a cost of 1000 and rejects 1001', async () => {
    const most = await api.query(dear(89));
    expect([cost(most), code(most)]).toEqual([1000, passed]);
    const more = await api.query(dear(90));
    expect([more.status, code(more)]).toEqual([200, 'COST_LIMIT_EXCEEDED']);
    const strict = await api.query(dear(90), { headers: { accept: 'application/graphql-response+json' } });
    expect(strict.status).toBe(400);
  });

  it('accepts the curricula of 17 courses and rejects those of 18', async () => {
    const curricula = (first: number) =>
      `{ viewer { enrolledCourses(first: ${first}) { nodes { curriculum { lectures { id } } } } } }`;
    expect(code(await api.query(curricula(17)))).toBe(passed);
    expect(code(await api.query(curricula(18)))).toBe('COST_LIMIT_EXCEEDED');
  });

  it('rejects an invalid page size before the cost', async () => {
    const response = await api.query('{ viewer { enrolledCourses(first: 1000000) { nodes { id } } } }');
    expect(code(response)).not.toBe('COST_LIMIT_EXCEEDED');
  });
});

describe('a document', () => {
  const aliases = (count: number) => `{ ${Array.from({ length: count }, (_, n) => `a${n}: __typename`).join(' ')} }`;
  /** Two tokens for each spread, nine around them, and one for each name. */
  const tokens = (names: number) =>
    `{ ${'...F '.repeat(495)} ${'__typename '.repeat(names)} } fragment F on Query { __typename }`;

  const names = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}${n}`).join(' ');

  it('accepts 30 aliases and rejects 31', async () => {
    expect((await api.query(aliases(30))).body.errors).toBeUndefined();
    expect(code(await api.query(aliases(31)))).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('accepts 1000 tokens and rejects 1001', async () => {
    expect((await api.query(tokens(1))).body).toMatchObject({ data: { __typename: 'Query' } });
    expect(code(await api.query(tokens(2)))).toBe('GRAPHQL_PARSE_FAILED');
  });

  it('rejects a document without an operation', async () => {
    expect(code(await api.query('fragment A on Query { __typename }'))).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('rejects a cycle of fragments', async () => {
    const circle = '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }';
    expect(code(await api.query(circle))).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('accepts 30 repetitions of a field in a selection and rejects 31', async () => {
    const repeated = (count: number) => `{ viewer { ${'schools { id } '.repeat(count)} } }`;
    expect(code(await api.query(repeated(30)))).toBe(passed);
    const { body } = await api.query(repeated(31));
    expect(body.errors?.map(({ message, extensions }) => [extensions.code, message])).toEqual([
      ['GRAPHQL_VALIDATION_FAILED', 'A selection has the same field at most 30 times'],
      ['GRAPHQL_VALIDATION_FAILED', 'Too many validation errors, error limit reached. Validation aborted.'],
    ]);
  });

  it.each([
    ['a fragment in itself', '{ viewer { ...A } } fragment A on Viewer { id ...A }'],
    ['one directive twice', '{ viewer { id @skip(if: false) @skip(if: false) } }'],
    ['many unknown directives', `{ viewer { id ${names(100, '@d')} } }`],
    ['many unknown fields', `{ viewer { ${names(500, 'field')} } }`],
    [
      'values of many levels',
      `{ viewer { notifications(after: ${'['.repeat(490)}${']'.repeat(490)}) { totalCount } } }`,
    ],
    ['many levels', `${'{ a '.repeat(300)}${'}'.repeat(300)}`],
  ])('rejects %s before it runs, in a short response', async (_what, query) => {
    const response = await api.query(query);
    expect([response.status, response.body.data ?? null]).toEqual([200, null]);
    expect(code(response)).toMatch(/^GRAPHQL_(PARSE|VALIDATION)_FAILED$/);
    expect(response.text.length).toBeLessThan(8_000);
  });

  it('limits fragments that spread each other twice', async () => {
    const doubled = Array.from({ length: 40 }, (_, n) => `fragment F${n} on Viewer { ...F${n + 1} ...F${n + 1} }`).join(
      ' ',
    );
    const response = await api.query(`{ viewer { ...F0 } } ${doubled} fragment F40 on Viewer { id }`);
    expect([cost(response), code(response)]).toEqual([1, passed]);
  });
});

describe('a rejected document', () => {
  it.each([
    ['cannot be parsed', { query: '{ viewer {' }],
    ['is not valid', { query: '{ viewer { password } }' }],
    ['has no operation of the name', { query: 'query A { __typename }', operationName: 'B' }],
    ['has variables that do not fit', { query: 'query ($n: Int!) { viewer { id } }', variables: {} }],
    ['costs too much', { query: dear(90) }],
    ['has too many aliases', { query: `{ ${'a: __typename '.repeat(31)} }` }],
  ])('charges 10 points for a document that %s', async (_what, body) => {
    const before = await api.query('{ __typename }');
    const refused = await api.query('', { body });
    expect(refused.body.errors).toBeDefined();
    const left = (before.body.extensions?.cost.remaining ?? 0) - 10;
    expect(refused.body.extensions?.cost).toEqual({ requested: 10, remaining: left, limit: 1_000_000_000 });
  });

  it('charges nothing for an invalid request or insufficient scope', async () => {
    const before = await api.query('{ __typename }');
    expect((await api.query('', { body: {} })).status).toBe(400);
    const after = await api.query('{ __typename }');
    const left = (response: ReceivedResponse) => response.body.extensions?.cost.remaining ?? 0;
    expect(left(before) - left(after)).toBe(1);
    const token = await api.token({ scope: 'openid account:read' });
    const mutation = 'mutation { markAllNotificationsRead { markedCount } }';
    const refused = await api.query(mutation, { token });
    expect([refused.status, refused.body.extensions]).toEqual([403, undefined]);
  });
});

describe('the points of a minute', () => {
  /** 100 points, of a limit of 600. */
  const HUNDRED = '{ viewer { enrolledCourses(first: 98) { nodes { id } } } }';
  let limited: TestApi;
  let replica: string;
  beforeAll(async () => {
    limited = await startMemberApi({}, (builder) => builder);
    replica = (await limited.replica()).url;
  });
  afterAll(() => limited.stop());

  const spend = async (person: 'own' | 'both', query = HUNDRED) =>
    limited.query(query, { token: await limited.token({ person: limited.student(limited.sites[0], person) }) });

  it('allows 600 points per person and client, then returns 429 with Retry-After without reading', async () => {
    const responses: ReceivedResponse[] = [];
    for (let n = 0; n < 6; n += 1) responses.push(await spend('own'));
    expect(responses.map(({ body }) => body.extensions?.cost)).toEqual(
      [500, 400, 300, 200, 100, 0].map((remaining) => ({ requested: 100, remaining, limit: 600 })),
    );
    const refused = await spend('own', '{ __typename }');
    expect([refused.status, code(refused)]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.data).toBeUndefined();
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('charges rejected documents against the limit', async () => {
    const refused = await spend('own', '{ viewer {');
    expect([refused.status, code(refused), refused.body.errors?.length]).toEqual([429, 'RATE_LIMITED', 1]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('shares the points of all tokens of a person and client', async () => {
    const token = await limited.token({ person: limited.student(), scope: 'openid account:read' });
    expect(token).not.toBe(await limited.token({ person: limited.student() }));
    const refused = await limited.query('{ __typename }', { token });
    expect([refused.status, code(refused)]).toEqual([429, 'RATE_LIMITED']);
  });

  it('counts the points of another person apart', async () => {
    expect((await spend('both', '{ __typename }')).status).toBe(200);
  });

  it('shares the points across replicas', async () => {
    const elsewhere = await limited.query(HUNDRED, { url: replica });
    expect([elsewhere.status, code(elsewhere)]).toEqual([429, 'RATE_LIMITED']);
  });
});

describe('refused tokens', () => {
  it('returns 429 to guesses of a source after 600 refused tokens in a minute, and accepts known tokens', async () => {
    // A replica of its own: no test before has taken a lease of the window.
    const { url } = await api.replica({ TRUSTED_PROXIES: '127.0.0.0/8,::1/128' });
    const as = (token: string | null, source: string) =>
      api.query('{ __typename }', { url, token, headers: { 'x-forwarded-for': source } });
    const [source, elsewhere, good] = ['192.0.2.7', '192.0.2.8', await api.token()];
    expect((await as(good, source)).status).toBe(200);
    const database = new pg.Client({ connectionString: api.databaseUrl });
    await database.connect();
    const key = hash('sha256', `refused\n${source}`, 'buffer');
    await database.query('INSERT INTO rate_windows (limit_key, started_at, spent) VALUES ($1, now(), 599)', [key]);
    await database.end();
    expect([(await as(null, source)).status, (await as('x'.repeat(42), source)).status]).toEqual([401, 401]);
    const refused = await as('x'.repeat(43), source);
    expect([refused.status, code(refused)]).toEqual([429, 'RATE_LIMITED']);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect((await as('x'.repeat(43), elsewhere)).status).toBe(401);
    expect((await as(null, source)).status).toBe(401);
    expect((await as(good, source)).status).toBe(200);
  });
});
