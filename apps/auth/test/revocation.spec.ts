import { Outbox } from '@lyceum/messaging';
import { ClientsService } from '#src/clients/clients.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { MembersService } from '#src/members/members.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD, SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('Revocation', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  afterAll(() => auth.stop());

  const revoke = (token: string, form: Record<string, string | null> = { client_id: 'first-member' }) =>
    flow.post('/api/oauth/revoke', { token, ...form });
  const broadcasts = () =>
    auth.sql<{ kind: string; subject: string; site_id: string | null }>(
      `SELECT payload::jsonb->>'kind' AS kind, payload::jsonb->>'subject' AS subject, payload::jsonb->>'site_id' AS site_id
         FROM outbox WHERE subject = 'broadcast.identity.revocation.v1' ORDER BY id`,
    );
  const lastBroadcast = async () => (await broadcasts()).at(-1);
  const personId = (name: string) => auth.site.people.find(({ email }) => email.startsWith(name))?.person_id ?? '';

  it.each(['access_token', 'refresh_token'] as const)(
    'revokes both tokens by the %s, and broadcasts it',
    async (kind) => {
      const tokens = await flow.tokens();
      const { body } = await flow.introspect(tokens.access_token);
      const { status } = await revoke(tokens[kind]);
      expect(status).toBe(200);
      expect(await flow.isActive(tokens.access_token)).toBe(false);
      expect((await flow.userInfo(tokens.access_token)).status).toBe(401);
      expect((await flow.refresh(tokens.refresh_token)).body['error']).toBe('invalid_grant');
      expect(await lastBroadcast()).toEqual({ kind: 'grant', subject: body['grant_id'], site_id: auth.site.site_id });
    },
  );

  it('returns 200 and an empty JSON object for a revocation', async () => {
    const { access_token } = await flow.tokens();
    for (const token of [access_token, access_token, 'unknown']) {
      const { status, headers, body } = await revoke(token);
      expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json; charset=utf-8', {}]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('accepts a revocation of an unknown or revoked token without effect (RFC 7009 §2.2)', async () => {
    const { access_token } = await flow.tokens();
    expect((await revoke('nonsense')).status).toBe(200);
    expect((await revoke(access_token)).status).toBe(200);
    const before = (await broadcasts()).length;
    expect((await revoke(access_token)).status).toBe(200);
    expect((await broadcasts()).length).toBe(before);
  });

  it('requires a token for a revocation', async () => {
    const { status, body } = await flow.post('/api/oauth/revoke', { client_id: 'first-member' });
    expect([status, body['error']]).toEqual([400, 'invalid_request']);
  });

  it('revokes a grant when the roles for it are removed, and only then', async () => {
    const operator = { client_id: 'first-operator', scope: 'courses:read orders:read' };
    const [byAdmin, byStudent] = [
      await new Flow(auth).tokens(operator, 'admin'),
      await new Flow(auth).tokens({}, 'student'),
    ];
    const [roles, people, outbox] = [auth.app.get(MembersService), auth.app.get(PeopleService), auth.app.get(Outbox)];
    const admin = await people.byId(personId('admin'));
    const student = await people.byId(personId('student'));
    if (admin === undefined || student === undefined) throw new Error('The stage has them');
    await outbox.transaction((manager) => roles.set(manager, auth.site.site_id, admin, ['lecturer']));
    expect(await flow.isActive(byAdmin.access_token)).toBe(false);
    await outbox.transaction((manager) => roles.set(manager, auth.site.site_id, student, ['teaching_assistant']));
    expect(await flow.isActive(byStudent.access_token)).toBe(true);
    await outbox.transaction((manager) => roles.set(manager, auth.site.site_id, student, []));
    expect(await flow.isActive(byStudent.access_token)).toBe(false);
    await outbox.transaction((manager) => roles.set(manager, auth.site.site_id, student, ['student']));
  });

  it('revokes tokens and ends the session when the person is suspended', async () => {
    const person = new Flow(auth);
    const { access_token, refresh_token } = await person.tokens({}, 'both');
    const people = auth.app.get(PeopleService);
    await people.suspend(personId('both'));
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await flow.refresh(refresh_token)).status).toBe(400);
    expect(await lastBroadcast()).toEqual({ kind: 'person', subject: personId('both'), site_id: null });
    const page = await person.browser.open(person.authorizationUrl());
    expect(page.body).toContain('name="password"');
    const refused = await person.signIn(page, 'both');
    expect(refused.status).toBe(422);
    await people.reinstate(personId('both'));
  });

  it('revokes tokens when the password changes, and not when a definition repeats the same one', async () => {
    const { access_token } = await new Flow(auth).tokens({}, 'lecturer');
    const { base_url, name, slug } = auth.site;
    const lecturer = { email: 'lecturer@school.example', name: 'The lecturer', roles: ['lecturer' as const] };
    const define = (password: string) =>
      auth.apply({ sites: [{ base_url, name, slug, people: [{ ...lecturer, password }] }] });
    await define(PASSWORD);
    expect(await flow.isActive(access_token)).toBe(true);
    await define('another-long-password');
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await lastBroadcast())?.kind).toBe('person');
  });

  it('revokes tokens when a client is deleted, and keeps its id reserved', async () => {
    const { access_token } = await new Flow(auth).tokens({ client_id: 'first-member-server', client_secret: SECRET });
    await auth.app.get(ClientsService).delete('first-member-server', auth.site.site_id);
    expect(await flow.isActive(access_token)).toBe(false);
    const expected = { kind: 'client', subject: 'first-member-server', site_id: auth.site.site_id };
    expect(await lastBroadcast()).toEqual(expected);
    const page = await flow.browser.open(flow.authorizationUrl({ client_id: 'first-member-server' }));
    expect([page.status, page.url.pathname]).toEqual([400, '/oauth/authorize']);
    const { status } = await flow.introspect(access_token, { client_id: 'first-member-server', client_secret: SECRET });
    expect(status).toBe(401);
  });

  it('revokes tokens when the site is suspended', async () => {
    const elsewhere = new Flow(auth, auth.other);
    const { access_token } = await elsewhere.tokens({ client_id: 'second-member' }, 'stranger');
    await auth.app.get(SitesService).setState(auth.other.site_id, 'suspended');
    expect(await flow.isActive(access_token)).toBe(false);
    expect((await lastBroadcast())?.kind).toBe('site');
  });
});
