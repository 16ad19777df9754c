import { getIntrospectionQuery } from 'graphql';
import { startMemberApi } from './member-api.js';
import type { ReceivedResponse, TestApi } from './member-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startMemberApi();
});
afterAll(() => api.stop());

const code = ({ body }: ReceivedResponse) => body.errors?.[0]?.extensions.code;
const cost = ({ body }: ReceivedResponse) => body.extensions?.cost.requested;

describe('introspection', () => {
  const types = (count: number) =>
    `{ ...T } fragment T on Query { ${Array.from({ length: count }, (_, n) => `t${n}: __type(name: "Viewer") { name }`).join(' ')} }`;

  it.each([
    { schemaDescription: true, inputValueDeprecation: true, specifiedByUrl: true },
    { descriptions: false, directiveIsRepeatable: true },
  ])('accepts the query of clients with %p', async (options) => {
    const response = await api.query(getIntrospectionQuery(options));
    expect([response.body.errors, cost(response)]).toEqual([undefined, 10]);
    expect(response.body.data.__schema.queryType).toMatchObject({ name: 'Query' });
  });

  it('accepts 10 types and rejects 11', async () => {
    const most = await api.query(types(10));
    expect([most.body.errors, cost(most)]).toEqual([undefined, 10]);
    expect(code(await api.query(types(11)))).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it.each([
    ['__schema', '{ a: __schema { queryType { name } } }'],
    ['a field below it', '{ __schema { a: types { name } } }'],
    ['a field below __type', '{ __type(name: "Viewer") { fields { ... { a: name } } } }'],
    ['a field of a fragment', '{ __schema { types { ...T } } } fragment T on __Type { a: fields { name } }'],
    ['__typename', '{ __schema { types { a: __typename } } }'],
  ])('rejects an alias of %s, which multiplies the response', async (_what, query) => {
    const { data, errors } = (await api.query(query)).body;
    expect([data, errors?.map(({ message }) => message)]).toEqual([undefined, [expect.stringContaining('alias')]]);
  });
});

const STATES = 'query ($s: [EnrolledCourseState!]) { viewer { enrolledCourses(states: $s) { nodes { id } } } }';

it('reports each error of short variables, and the first one of long variables', async () => {
  const wrong = async (query: string, variables: Record<string, unknown>) => {
    const response = await api.query(query, { variables });
    const { errors } = response.body;
    const codes = new Set(errors?.map(({ extensions }) => extensions.code));
    return { count: errors?.length, codes: [...codes], cost: cost(response), isShort: response.text.length < 2_000 };
  };
  const all = { codes: ['VALIDATION_FAILED'], cost: 10, isShort: true };
  expect(await wrong(STATES, { s: [1, 2, 3] })).toEqual({ count: 3, ...all });
  const many = Array.from({ length: 30_000 }, (_, n) => n);
  expect(await wrong(STATES, { s: many })).toEqual({ count: 1, ...all });
  const mutation =
    'mutation ($i: MarkAllNotificationsReadInput) { markAllNotificationsRead(input: $i) { markedCount } }';
  const names = Object.fromEntries(many.slice(0, 10_000).map((n) => [`name${n}`, n]));
  expect(await wrong(mutation, { i: names })).toEqual({ count: 1, ...all });
});

it('rejects aliases that fragments multiply to more than 5000 fields', async () => {
  const each = (count: number, field: string) => Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ');
  // 6 + 36 + 216 objects, and 12 fields more of each of the last.
  const multiplied = (more: number) => `{ ${each(6, 'viewer { ...V }')} }
    fragment V on Viewer { ${each(6, 'enrolledCourse(slug: "a") { ...E }')} }
    fragment E on EnrolledCourse { ${each(6, 'nextLecture { ...L }')} }
    fragment L on CurriculumLecture { id slug title position lectureType durationSeconds freePreview completed
      completedAt positionSeconds contentHtml playerUrl ${each(more, 'title')} }`;
  const message = async (more: number) => (await api.query(multiplied(more))).body.errors?.[0]?.message;
  expect(await message(9)).toMatch(/^The query costs \d+ points; 1000 are allowed$/);
  expect(await message(10)).toBe('An operation selects at most 5000 fields');
});
