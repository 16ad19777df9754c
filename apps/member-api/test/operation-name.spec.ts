import { startMemberApi } from './member-api.js';
import type { ReceivedResponse, TestApi } from './member-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startMemberApi();
});
afterAll(() => api.stop());

const STRICT = { accept: 'application/graphql-response+json' };
const code = ({ body }: ReceivedResponse) => body.errors?.[0]?.extensions.code;
const cost = ({ body }: ReceivedResponse) => body.extensions?.cost.requested;
const run = (query: string, operationName?: string, token?: string) =>
  api.query('', { body: { query, operationName }, headers: STRICT, ...(token === undefined ? {} : { token }) });

describe('a document with several operations', () => {
  it('runs the operation of operationName', async () => {
    const query = 'query A { a: __typename } query B { b: __typename } mutation C { c: __typename }';
    for (const [name, data] of [
      ['A', { a: 'Query' }],
      ['B', { b: 'Query' }],
      ['C', { c: 'Mutation' }],
      ['A', { a: 'Query' }],
    ] as const) {
      const response = await run(query, name);
      expect([response.status, response.body.data, response.body.errors]).toEqual([200, data, undefined]);
    }
  });

  it.each([
    ['no operationName', undefined],
    ['an empty operationName', ''],
    ['the name of no operation', 'C'],
  ])('returns the error of the specification for %s', async (_what, operationName) => {
    const response = await run('query A { __typename } query B { __typename }', operationName);
    expect([response.status, code(response)]).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
    expect(response.body).not.toHaveProperty('data');
    expect(cost(response)).toBe(10);
  });

  it('counts the cost, the depth and the aliases of the chosen operation only', async () => {
    const nodes = (first: number) => `enrolledCourses(first: ${first}) { nodes { id } }`;
    const aliases = Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ');
    const bookings = 'bookings { edges { node { id } } }';
    const query = `
      query Cheap { viewer { ...Few } }
      query Dear { viewer { ${nodes(90)} } }
      query TooDear { viewer { ${Array.from({ length: 10 }, (_, n) => `l${n}: ${nodes(100)}`).join(' ')} } }
      query TooMany { ${aliases} }
      query TooDeep { viewer { notifications { edges { node { subject { ... on PurchasedConsultingService { ${bookings} } } } } } } }
      fragment Few on Viewer { ${nodes(3)} }`;
    expect(cost(await run(query, 'Cheap'))).toBe(5);
    expect(cost(await run(query, 'Dear'))).toBe(92);
    expect(code(await run(query, 'TooDear'))).toBe('COST_LIMIT_EXCEEDED');
    expect(code(await run(query, 'TooMany'))).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(code(await run(query, 'TooDeep'))).toBe('DEPTH_LIMIT_EXCEEDED');
    expect(cost(await run(query, 'Cheap'))).toBe(5);
  });

  it('requires account:write only when the chosen operation is a mutation', async () => {
    const token = await api.token({ scope: 'openid account:read' });
    const query = 'query Read { __typename } mutation Write { markAllNotificationsRead { markedCount } }';
    expect((await run(query, 'Read', token)).body.data).toEqual({ __typename: 'Query' });
    const refused = await run(query, 'Write', token);
    expect([refused.status, code(refused)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect((await run(query, 'Read', token)).body.data).toEqual({ __typename: 'Query' });
  });

  it('keeps the compiled plans of operations apart when their variables have the same names', async () => {
    const query = `
      query A($no: Boolean!) { viewer { enrolledCourses(first: 5) @skip(if: $no) { nodes { id } } } }
      query B($no: Boolean!) { viewer { enrolledCourses(first: 7) @include(if: $no) { nodes { id } } } }`;
    const costs: (number | undefined)[] = [];
    for (const [operationName, no] of [
      ['A', true],
      ['B', true],
      ['A', false],
      ['B', false],
    ] as const) {
      costs.push(cost(await api.query('', { body: { query, operationName, variables: { no } } })));
    }
    expect(costs).toEqual([1, 9, 7, 1]);
  });

  it('runs every operation of a document with more operations than cached plans', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `Q${n}`);
    const query = names.map(
      (name, n) => `query ${name} { viewer { enrolledCourses(first: ${n + 1}) { nodes { id } } } }`,
    );
    for (const [n, name] of [...names.entries(), ...names.entries()]) {
      expect(cost(await run(query.join(' '), name))).toBe(n + 3);
    }
  });
});

describe('GET', () => {
  it('returns 405 with Allow and the setting of urql for POST', async () => {
    const response = await api.query('', {
      method: 'GET',
      path: '/member/graphql?query=%7B__typename%7D',
      body: undefined,
    });
    expect([response.status, code(response), response.headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST']);
    expect(response.body.errors?.[0]?.message).toContain('preferGetMethod: false');
  });
});
