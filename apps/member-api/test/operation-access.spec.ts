import { GraphQLSchemaHost } from '@nestjs/graphql';
import { OPERATION_ACCESS } from '#src/schema/operation-access.js';
import { startMemberApi } from './member-api.js';
import type { ReceivedResponse, TestApi } from './member-api.js';

type Operation = 'query' | 'mutation';

let api: TestApi;
beforeAll(async () => {
  api = await startMemberApi();
});
afterAll(() => api.stop());

const code = ({ body }: ReceivedResponse) => body.errors?.[0]?.extensions.code;
const challenge = ({ headers }: ReceivedResponse) => String(headers['www-authenticate']);

/** Each root field of the running service, in a document whose variables are missing: access is checked before them. */
function rootFields(): { operation: Operation; name: string; document: string }[] {
  const { schema } = api.service.app.get(GraphQLSchemaHost, { strict: false });
  return (['query', 'mutation'] as const).flatMap((operation) => {
    const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(type?.getFields() ?? {}).map(({ name, args }) => {
      const given = args.filter((argument) => String(argument.type).endsWith('!'));
      const list = (parts: string[]): string => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
      const variables = list(given.map((argument) => `$${argument.name}: ${String(argument.type)}`));
      const values = list(given.map((argument) => `${argument.name}: $${argument.name}`));
      return { operation, name, document: `${operation} ${variables} { ${name}${values} { __typename } }` };
    });
  });
}

const ABOUT_THE_SCHEMA = [
  '{ __typename }',
  '{ __schema { queryType { name } } }',
  '{ __type(name: "Viewer") { name } }',
];

/** Every operation that the schema has, of both kinds. */
const operations = () => [
  ...rootFields(),
  ...ABOUT_THE_SCHEMA.map((document) => ({ operation: 'query' as const, document })),
  { operation: 'mutation' as const, document: 'mutation { __typename }' },
];

it('walks the fields of all root types', () => {
  const { schema } = api.service.app.get(GraphQLSchemaHost, { strict: false });
  expect(schema.getSubscriptionType()).toBeUndefined();
  expect(rootFields().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['viewer', 'node', 'markNotificationRead', 'updateNotificationSubscription']),
  );
});

it('refuses each operation without its scopes, and names them', async () => {
  for (const { operation, document } of operations()) {
    const token = await api.token({ scope: operation === 'query' ? 'openid' : 'openid account:read' });
    const response = await api.query(document, { token });
    expect([document, response.status, code(response)]).toEqual([document, 403, 'INSUFFICIENT_SCOPE']);
    expect(challenge(response)).toContain(`scope="${OPERATION_ACCESS[operation].scopes.join(' ')}"`);
    expect(response.body.data).toBeUndefined();
  }
});

it('refuses each operation of an application for operators', async () => {
  const token = await api.token({ audience: 'operator', scope: 'openid courses:read' });
  for (const { document } of operations()) {
    const response = await api.query(document, { token });
    expect([document, response.status, code(response)]).toEqual([document, 403, 'INSUFFICIENT_SCOPE']);
  }
});

it('refuses no operation with its scopes', async () => {
  for (const { operation, document } of operations()) {
    const token = await api.token({ scope: `openid ${OPERATION_ACCESS[operation].scopes.join(' ')}` });
    const response = await api.query(document, { token });
    expect([document, code(response)]).not.toEqual([document, 'INSUFFICIENT_SCOPE']);
    expect([200, 400]).toContain(response.status);
  }
});
