import { execute, memberToken, sendRaw } from './attack.js';

let token: string;
beforeAll(async () => {
  token = await memberToken();
});

const repeat = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');

describe('an expensive document', () => {
  it.each<readonly [string, string, string]>([
    ['a thousand fields deep', `${'{ a '.repeat(1_000)}${'}'.repeat(1_000)}`, 'GRAPHQL_PARSE_FAILED'],
    [
      'deep in introspection',
      `{ __schema { types { ${'fields { type { '.repeat(8)} name ${'} } '.repeat(8)} } } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'wide in pages',
      `{ viewer { ${repeat(20, (n) => `a${n}: notifications(first: 100) { nodes { id } }`)} } }`,
      'COST_LIMIT_EXCEEDED',
    ],
    [
      'wide in pages within pages',
      '{ viewer { consultingServices(first: 100) { nodes { bookings(first: 100) { nodes { id } } } } } }',
      'COST_LIMIT_EXCEEDED',
    ],
    ['of many aliases', `{ viewer { ${repeat(31, (n) => `a${n}: id`)} } }`, 'GRAPHQL_VALIDATION_FAILED'],
    ['of one field many times', `{ viewer { ${'schools { id } '.repeat(31)} } }`, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'of fragments in a circle',
      '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['of a fragment in itself', '{ viewer { ...A } } fragment A on Viewer { id ...A }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'of a field with many directives',
      `{ viewer { id ${'@include(if: true) '.repeat(400)} } }`,
      'GRAPHQL_PARSE_FAILED',
    ],
    ['of one directive twice', '{ viewer { id @skip(if: false) @skip(if: false) } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['of unknown directives', `{ viewer { id ${repeat(100, (n) => `@d${n}`)} } }`, 'GRAPHQL_VALIDATION_FAILED'],
    ['of unknown fields', `{ viewer { ${repeat(500, (n) => `field${n}`)} } }`, 'GRAPHQL_VALIDATION_FAILED'],
    ['of many operations', repeat(50, (n) => `query Q${n} { viewer { id } }`), 'OPERATION_RESOLUTION_FAILURE'],
    ['of a subscription', 'subscription { viewer { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'with deep values',
      `{ viewer { notifications(after: ${'['.repeat(490)}${']'.repeat(490)}) { totalCount } } }`,
      '',
    ],
  ])('refuses an expensive document before it runs: %s', async (_what, query, code) => {
    const { status, data, codes, text } = await execute(query, token);
    expect(status).toBe(200);
    expect(data ?? null).toBeNull();
    if (code === '') expect(codes[0]).toMatch(/^GRAPHQL_(PARSE|VALIDATION)_FAILED$/);
    else expect(codes[0]).toBe(code);
    // The response stays small, however many errors the document has.
    expect(text.length).toBeLessThan(8_000);
  });

  it('returns 413 for a document above the size limit', async () => {
    const query = `{ viewer { id } } ${'#'.repeat(256 * 1024)}`;
    const response = await sendRaw({ headers: { authorization: `Bearer ${token}` }, json: { query } });
    expect(response.status).toBe(413);
    expect(response.codes).toEqual(['PAYLOAD_TOO_LARGE']);
  });

  it('returns 413 for oversized variables', async () => {
    const { status } = await execute(
      'query ($a: String) { viewer { notifications(after: $a) { totalCount } } }',
      token,
      {
        a: 'x'.repeat(256 * 1024),
      },
    );
    expect(status).toBe(413);
  });
});

it('executes fragments that double each other once', async () => {
  const doubled = repeat(60, (n) => `fragment F${n} on Viewer { ...F${n + 1} ...F${n + 1} }`);
  const { data } = await execute(`{ viewer { ...F0 } } ${doubled} fragment F60 on Viewer { id }`, token);
  expect(data).toEqual({ viewer: { id: expect.any(String) } });
});

it('accepts inherited names such as __proto__ as field aliases', async () => {
  const { data } = await execute(
    '{ viewer { __proto__: id constructor: id toString: name hasOwnProperty: id } }',
    token,
  );
  const { viewer } = data as { viewer: Record<string, unknown> };
  expect(Object.keys(viewer).toSorted()).toEqual(['__proto__', 'constructor', 'hasOwnProperty', 'toString'].toSorted());
});
