import { eventually } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import type { Seed } from '#src/commands/apply.js';
import { SitesService } from '#src/sites/sites.service.js';
import { CALLBACK, PASSWORD, SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('The command line', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  const site = async () => {
    const found = await auth.app.get(SitesService).byOrigin(auth.site.base_url);
    if (found === undefined) throw new Error('The stage has it');
    return found;
  };
  const events = async (): Promise<number> => {
    const [row] = await auth.sql<{ n: number }>('SELECT count(*)::int AS n FROM outbox');
    return row?.n ?? -1;
  };
  const definition = (): Seed['sites'][number] => {
    const { site_id: _site, ...given } = auth.site;
    return { ...given, people: given.people.map(({ person_id: _person, member_id: _member, ...person }) => person) };
  };

  it('applies the same definition twice without changes or events', async () => {
    const { access_token } = await new Flow(auth).tokens();
    const before = await events();
    const { sites } = await auth.apply({ sites: [definition()] });
    expect(sites).toEqual([auth.site]);
    expect(await events()).toBe(before);
    expect(await new Flow(auth).isActive(access_token)).toBe(true);
  });

  it('applies changes of a definition and returns the existing ids', async () => {
    const { sites } = await auth.apply({ sites: [{ ...definition(), name: 'Renamed School' }] });
    expect(sites[0]).toMatchObject({ site_id: auth.site.site_id, org_id: auth.site.org_id, name: 'Renamed School' });
    const [row] = await auth.sql<{ name: string; version: number }>(
      'SELECT name, version FROM sites WHERE site_id = $1',
      [auth.site.site_id],
    );
    expect(row).toEqual({ name: 'Renamed School', version: 2 });
  });

  it.each([
    ['an address that is no origin', { base_url: 'https://x.example/path', name: 'X', slug: 'x' }],
    ['a slug that is taken', { base_url: 'https://x.example', name: 'X', slug: 'second' }],
  ])('refuses a site with %s', async (_name, seed) => {
    await expect(auth.apply({ sites: [seed] })).rejects.toMatchObject({ name: 'ApiError' });
  });

  it.each([
    ['a scope of the other audience', { scopes: ['courses:read'] }],
    ['no scope', { scopes: [] }],
    ['a redirect URI over plain http', { redirect_uris: ['http://app.example/cb'] }],
    ['no redirect URI', { redirect_uris: [] }],
  ])('refuses a client with %s, and creates nothing', async (_name, change) => {
    const client = {
      client_id: 'wrong',
      name: 'Wrong',
      audience: 'member' as const,
      redirect_uris: [CALLBACK],
      scopes: ['openid'],
    };
    await expect(
      auth.apply({ sites: [{ ...definition(), clients: [{ ...client, ...change }] }] }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(await auth.sql(`SELECT 1 FROM clients WHERE client_id = 'wrong'`)).toEqual([]);
  });

  it('refuses to change the audience of a client', async () => {
    const client = {
      client_id: 'first-member',
      name: 'x',
      audience: 'operator' as const,
      redirect_uris: [CALLBACK],
      scopes: ['openid'],
    };
    await expect(auth.apply({ sites: [{ ...definition(), clients: [client] }] })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  it('invites a person, who becomes an owner when the password is set', async () => {
    const person = { email: 'Founder@School.example', name: 'Founder', role: 'owner' as const };
    const { link } = await auth.app.get(Administration).invite(await site(), person);
    const flow = new Flow(auth);
    const page = await flow.browser.open(link ?? '');
    await flow.submit(page, 'password', { password: PASSWORD });
    const operator = { client_id: 'first-operator', scope: 'openid orders:read' };
    expect((await flow.tokens(operator, 'founder')).scope).toBe('openid orders:read');
    expect((await auth.app.get(Administration).invite(await site(), person)).link).toBeUndefined();
  });

  it('creates a client and shows its secret once', async () => {
    const made = await auth.app.get(Administration).createClient(await site(), {
      name: 'Made here',
      audience: 'member',
      redirect_uris: [CALLBACK],
      scopes: ['openid', 'account:read'],
      confidential: true,
    });
    expect(made.client_secret).toMatch(/^[\w-]{43}$/);
    const stored = await auth.sql<{ text: string }>(
      `SELECT row_to_json(c)::text AS text FROM clients c WHERE client_id = $1`,
      [made.client_id],
    );
    expect(stored[0]?.text).not.toContain(made.client_secret);
    const client = { client_id: made.client_id, client_secret: made.client_secret ?? '', scope: 'openid account:read' };
    expect((await new Flow(auth).tokens(client)).scope).toBe('openid account:read');
  });

  it('records the use of a client, so that housekeeping recognizes an idle one', async () => {
    await new Flow(auth).tokens({ client_id: 'first-member-server', client_secret: SECRET });
    const used = () =>
      auth.sql<{ used: boolean | null }>(
        `SELECT last_used_at > now() - interval '1 minute' AS used FROM clients WHERE client_id = 'first-member-server'`,
      );
    const [row] = await eventually(used, ([found]) => found?.used !== null);
    expect(row?.used).toBe(true);
  });
});
