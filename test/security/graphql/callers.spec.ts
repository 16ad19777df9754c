import { execute, memberToken, operatorToken, otherSite, sendRaw, site, somebodyElse } from './attack.js';

const VIEWER = '{ viewer { id } }';
const SCHEMA = '{ __schema { queryType { name } } }';
const METADATA = `resource_metadata="${site.base_url}/.well-known/oauth-protected-resource"`;

describe('a GraphQL request without a valid token', () => {
  it.each([
    ['data', VIEWER],
    ['the schema', SCHEMA],
    ['a type', '{ __type(name: "Viewer") { fields { name } } }'],
    ['the name of the root', '{ __typename }'],
    ['a missing field', '{ nothing }'],
    ['an invalid document', '{{{'],
    ['a mutation', 'mutation { markAllNotificationsRead { markedCount } }'],
  ])('refuses a request for %s without a token', async (_what, query) => {
    const { status, headers, text } = await execute(query);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain(METADATA);
    expect(text).not.toMatch(/Viewer|markAll|nothing|Syntax/);
  });

  it.each([
    ['in the query', '/member/graphql?access_token='],
    ['in the path', '/member/graphql/'],
  ])('refuses a token %s', async (_where, path) => {
    const response = await sendRaw({ json: { query: VIEWER } }, site, `${path}${await memberToken()}`);
    expect([401, 404]).toContain(response.status);
    expect(response.data).toBeUndefined();
  });

  it.each(['Cookie', 'X-Access-Token', 'Proxy-Authorization'])('refuses a token in %s', async (name) => {
    const token = await memberToken();
    const value = name === 'Cookie' ? `access_token=${token}; token=${token}` : `Bearer ${token}`;
    const { status } = await sendRaw({ headers: { [name]: value }, json: { query: VIEWER } });
    expect(status).toBe(401);
  });

  it('refuses a request with two tokens', async () => {
    const authorization = [`Bearer ${await memberToken()}`, `Bearer ${await memberToken(site, somebodyElse())}`];
    const { status, data } = await sendRaw({ headers: { authorization }, json: { query: VIEWER } });
    expect([status, data]).toEqual([401, undefined]);
  });
});

it('returns the schema to a caller with a token', async () => {
  expect((await execute(SCHEMA, await memberToken())).data).toEqual({ __schema: { queryType: { name: 'Query' } } });
});

describe('a token without access', () => {
  it('refuses an operator token, with the missing scope, also for the schema', async () => {
    const token = await operatorToken('openid profile email courses:read students:read');
    for (const query of [VIEWER, SCHEMA, 'mutation { markAllNotificationsRead { markedCount } }']) {
      const { status, headers, data } = await execute(query, token);
      expect([status, data]).toEqual([403, undefined]);
      expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
      expect(headers['www-authenticate']).toContain('scope="account:read');
    }
  });

  it('refuses a token of the other site, in both directions', async () => {
    for (const [from, at] of [
      [site, otherSite],
      [otherSite, site],
    ] as const) {
      const { status, headers, text } = await execute(VIEWER, await memberToken(from), undefined, at);
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
      expect(headers['www-authenticate']).toContain(`resource_metadata="${at.base_url}/`);
      expect(text).not.toContain(from.base_url);
    }
  });

  it('refuses every form of a mutation without account:write', async () => {
    const reading = await memberToken(site, undefined, 'openid account:read');
    const unread = '{ viewer { unreadNotificationCount } }';
    const before = (await execute(unread, reading)).data;
    for (const query of [
      'mutation { markAllNotificationsRead { markedCount } }',
      'mutation M { a: markAllNotificationsRead { markedCount } }',
      'mutation { ...F } fragment F on Mutation { markAllNotificationsRead { markedCount } }',
      'mutation { ... on Mutation { markAllNotificationsRead { markedCount } } }',
      'mutation ($no: Boolean = false) { markAllNotificationsRead @skip(if: $no) { markedCount } }',
    ]) {
      const { status, headers, data } = await execute(query, reading);
      expect([query, status, data]).toEqual([query, 403, undefined]);
      expect(headers['www-authenticate']).toContain('scope="account:read account:write"');
    }
    expect((await execute(unread, reading)).data).toEqual(before);
  });
});
