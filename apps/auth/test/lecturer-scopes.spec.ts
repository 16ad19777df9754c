import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const CLIENT = { client_id: 'first-operator' };
const ASKED = 'openid courses:read courses:write students:read orders:read comments:read';
const HELD = 'openid courses:read courses:write students:read comments:read';

describe('The operator scopes of a lecturer', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  /** As a change of the policy leaves it: nothing of what a change of roles ends is done. */
  const become = (email: string, role: string) =>
    auth.sql(
      `UPDATE site_members SET roles = ARRAY[$1] WHERE site_id = $2
          AND person_id = (SELECT person_id FROM people WHERE email = $3)`,
      [role, auth.site.site_id, email],
    );

  it('gives a lecturer the operator scopes of own courses and own students', async () => {
    const { scope } = await new Flow(auth).tokens({ ...CLIENT, scope: ASKED }, 'lecturer');
    expect(scope).toBe(HELD);
  });

  it('grants a lecturer no scope of orders, and the page lists the granted scopes', async () => {
    const flow = new Flow(auth);
    const request = flow.authorizationUrl({ ...CLIENT, scope: 'openid orders:read' });
    const page = await flow.signIn(await flow.browser.open(request), 'lecturer');
    expect(page.body).toContain('You cannot allow');
    expect(page.body).toContain('Lecturers can allow it to view and edit their own courses');
  });

  it('narrows the scopes of an issued token when its person becomes a lecturer, and ends them with the next refresh', async () => {
    const flow = new Flow(auth);
    const tokens = await flow.tokens({ ...CLIENT, scope: ASKED }, 'admin');
    expect((await flow.introspect(tokens.access_token)).body['scope']).toBe(ASKED);
    const only = await new Flow(auth).tokens({ ...CLIENT, scope: 'openid orders:read' }, 'admin');
    await become('admin@school.example', 'lecturer');
    try {
      expect((await flow.introspect(tokens.access_token)).body).toMatchObject({ active: true, scope: HELD });
      expect((await flow.introspect(tokens.access_token, CLIENT)).body).toMatchObject({ active: true, scope: HELD });
      expect((await flow.introspect(only.access_token)).body).toEqual({ active: false });
      const refreshed = await flow.refresh(tokens.refresh_token, CLIENT);
      expect([refreshed.status, refreshed.body['error']]).toEqual([400, 'invalid_grant']);
    } finally {
      await become('admin@school.example', 'admin');
    }
  });

  it('lists in the guide the scopes that a lecturer receives', async () => {
    const { body } = await new Flow(auth).send('/auth.md');
    expect(body['text']).toContain(
      'a lecturer or teaching assistant for `courses:read`, `courses:write`, `students:read`, `curriculum:read`, ' +
        '`curriculum:write`, `comments:read`, `lecturers:read` and `lecturers:write` of own courses, own students and the ' +
        'own profile',
    );
  });
});
