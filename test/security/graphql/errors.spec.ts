import { execute, memberToken, sendRaw } from './attack.js';

/** Internal details: files, lines, SQL, libraries, hosts. */
const INSIDE =
  /\.js|\.ts:|node_modules|at \w+ \(|select |insert |from |pg_|postgres|typeorm|apollo|ECONN|127\.0\.0\.1:\d/i;

let token: string;
beforeAll(async () => {
  token = await memberToken();
});

describe('a GraphQL error', () => {
  it.each([
    ['{ viewer { nothing } }'],
    ['{ viewer { id { more } } }'],
    ['{ viewer { notifications(first: "many") { totalCount } } }'],
    ['{ viewer { notifications(first: 101) { totalCount } } }'],
    ['{ viewer { notifications(first: -1) { totalCount } } }'],
    ['{ viewer { notifications(first: 99999999999999) { totalCount } } }'],
    ['{ viewer { notifications(after: "x") { totalCount nodes { id } } } }'],
    ['mutation { markNotificationRead(input: {}) { clientMutationId } }'],
    ['mutation { markAllNotificationsRead(input: { before: "yesterday" }) { markedCount } }'],
    ['mutation { nothing }'],
    ['query ($a: Nothing) { viewer { id } }'],
    ['{'],
  ])('returns an error with a code and without internal details: %s', async (query) => {
    const { status, body, text } = await execute(query, token);
    expect(status).toBe(200);
    const errors = body['errors'] as { message: string; extensions: Record<string, unknown> }[];
    expect(errors.length).toBeGreaterThan(0);
    for (const { message, extensions } of errors) {
      expect(message).not.toMatch(INSIDE);
      // `errors` names arguments, with the codes of REST. `hint` is a remedy.
      expect(
        Object.keys(extensions)
          .filter((name) => name !== 'errors' && name !== 'hint')
          .toSorted(),
      ).toEqual(['code', 'requestId']);
      expect(extensions['code']).not.toBe('INTERNAL');
    }
    expect(text).not.toContain('stacktrace');
  });

  it('echoes only a valid request id', async () => {
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': '"><script>alert(1)</script>' };
    const { text, headers: responseHeaders } = await sendRaw({ headers, json: { query: '{ nothing }' } });
    expect(text).not.toContain('<script>');
    expect(responseHeaders['x-request-id']).not.toContain('<script>');
  });
});
