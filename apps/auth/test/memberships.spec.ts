import { REVOCATION_SUBJECT } from '@lyceum/contracts';
import { Administration } from '#src/commands/administration.js';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';
import type { Tokens } from './flow.js';

const EMAIL = 'both@school.example';
const ENDS = ['suspended', 'removed'] as const;

interface Member {
  readonly member_id: string;
  readonly state: string;
  readonly roles: readonly string[];
  readonly version: number;
}

interface RoleData {
  readonly state: string;
  readonly member_id: string;
  readonly joined: boolean;
}

describe('The membership of a site', () => {
  let auth: TestAuth;
  let here: SiteRecord;

  const record = async (site: TestSite): Promise<SiteRecord> => {
    const found = await auth.app.get(SitesService).byId(site.site_id);
    if (found === undefined) throw new Error('The stage has it');
    return found;
  };
  const administration = (): Administration => auth.app.get(Administration);
  const member = async (site: TestSite, email = EMAIL): Promise<Member | undefined> => {
    const text = `select m.member_id, m.state, m.roles, m.version from site_members m join people p using (person_id)
                   where p.email = $1 and m.site_id = $2`;
    const [row] = await auth.sql<Member>(text, [email, site.site_id]);
    return row;
  };
  const events = async (): Promise<RoleData[]> => {
    const text = `select payload::jsonb -> 'data' as data from outbox
                   where payload::jsonb ->> 'type' like 'identity.role.%' and payload::jsonb #>> '{data,email}' = $1
                     and payload::jsonb ->> 'site_id' = $2 order by seq`;
    const found = await auth.sql<{ data: RoleData }>(text, [EMAIL, here.site_id]);
    return found.map(({ data }) => data);
  };
  const end = (how: (typeof ENDS)[number]): Promise<void> =>
    how === 'suspended' ? administration().suspend(EMAIL, here) : administration().removeMember(here, EMAIL);
  const elsewhere = (): Flow => new Flow(auth, auth.other, { client_id: 'second-member' });
  const statusAt = async (flow: Flow): Promise<number> =>
    (await flow.send('/account', { headers: { cookie: flow.browser.cookiesFor('/account') } })).status;
  const signInAt = async (flow: Flow, name = 'both') =>
    flow.signIn(await flow.browser.open('/account/sign-in'), name, PASSWORD);

  beforeAll(async () => {
    auth = await startAuth();
    here = await record(auth.site);
  });
  afterAll(() => auth.stop());
  afterEach(async () => {
    await auth.sql('delete from sign_in_attempts');
    if ((await member(auth.site))?.state === 'suspended') await administration().reinstate(EMAIL, here);
    await administration().addRole(here, EMAIL, 'student');
  });

  it('says in the event of a person who joins, for the first time or again, that they joined', async () => {
    const before = (await events()).length;
    await end('removed');
    await administration().addRole(here, EMAIL, 'student');
    await administration().addRole(here, EMAIL, 'lecturer');
    const news = (await events()).slice(before).map(({ state, joined }) => [state, joined]);
    expect(news).toEqual([
      ['removed', false],
      ['invited', true],
      ['invited', false],
    ]);
    await administration().removeRole(here, EMAIL, 'lecturer');
  });

  it('gives a member a random id at each site', async () => {
    const [one, two] = [await member(auth.site), await member(auth.other)];
    expect(one?.member_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
    expect(one?.member_id).not.toBe(two?.member_id);
  });

  describe.each(ENDS)('A membership that is %s', (how) => {
    let flow: Flow;
    let tokens: Tokens;
    let other: { flow: Flow; tokens: Tokens };

    beforeEach(async () => {
      flow = new Flow(auth);
      tokens = await flow.tokens({}, 'both');
      const there = elsewhere();
      other = { flow: there, tokens: await there.tokens({}, 'both') };
      await end(how);
    });

    it('revokes tokens of the membership at its site, and of no other', async () => {
      expect(await flow.isActive(tokens.access_token)).toBe(false);
      expect((await flow.userInfo(tokens.access_token)).status).toBe(401);
      expect((await flow.refresh(tokens.refresh_token)).body['error']).toBe('invalid_grant');
      expect(await other.flow.isActive(other.tokens.access_token)).toBe(true);
      expect((await other.flow.refresh(other.tokens.refresh_token)).status).toBe(200);
    });

    it('ends sessions of the membership at its site, and of no other', async () => {
      expect([await statusAt(flow), await statusAt(other.flow)]).toEqual([303, 200]);
    });

    it('refuses the sign-in of the membership with an error that does not reveal its state', async () => {
      const page = await signInAt(new Flow(auth));
      expect([page.status, page.url.pathname]).toEqual([422, '/account/sign-in']);
      expect(page.body).toContain('This account has no access here.');
      expect(page.body).not.toMatch(/suspended|removed/);
      expect((await signInAt(elsewhere())).url.pathname).toBe('/account');
    });

    it('publishes an event and a revocation of that site for the membership', async () => {
      expect((await events()).at(-1)).toMatchObject({ state: how, member_id: (await member(auth.site))?.member_id });
      const text = `select payload::jsonb as body from outbox where subject = $1 order by seq desc limit 1`;
      const [revocation] = await auth.sql<{ body: object }>(text, [REVOCATION_SUBJECT]);
      expect(revocation?.body).toMatchObject({ kind: 'person', site_id: here.site_id });
    });
  });

  it('refuses a code from before the suspension', async () => {
    const flow = new Flow(auth);
    const code = (await flow.callback({}, 'both')).get('code');
    await administration().suspend(EMAIL, here);
    expect((await flow.exchange(code)).body['error']).toBe('invalid_grant');
  });

  it('restores the roles and the id of a suspended membership', async () => {
    const before = await member(auth.site);
    await administration().suspend(EMAIL, here);
    await administration().addRole(here, EMAIL, 'lecturer');
    expect(await member(auth.site)).toMatchObject({ state: 'suspended', roles: ['lecturer', 'student'] });
    await administration().removeRole(here, EMAIL, 'lecturer');
    await administration().reinstate(EMAIL, here);
    expect(await member(auth.site)).toMatchObject({ ...before, state: 'active', version: expect.any(Number) });
    expect((await new Flow(auth).tokens({}, 'both')).scope).toContain('account:read');
  });

  it('keeps the id of a removed member who returns', async () => {
    const before = await member(auth.site);
    await administration().removeMember(here, EMAIL);
    await administration().addRole(here, EMAIL, 'student');
    expect(await member(auth.site)).toMatchObject({ member_id: before?.member_id, state: 'invited' });
  });

  it('keeps a member invited until the first sign-in at that site, also after one elsewhere', async () => {
    const email = 'stranger@school.example';
    await administration().addRole(here, email, 'student');
    await signInAt(elsewhere(), 'stranger');
    expect((await member(auth.site, email))?.state).toBe('invited');
    await signInAt(new Flow(auth), 'stranger');
    expect((await member(auth.site, email))?.state).toBe('active');
  });

  it('suspends a person at every site for the platform team', async () => {
    await administration().suspend(EMAIL);
    const refused = [await signInAt(new Flow(auth)), await signInAt(elsewhere())];
    expect(refused.map(({ status }) => status)).toEqual([422, 422]);
    await administration().reinstate(EMAIL);
    expect((await signInAt(new Flow(auth))).url.pathname).toBe('/account');
    expect((await signInAt(elsewhere())).url.pathname).toBe('/account');
  });

  it('refuses to suspend a person at a site without a membership', async () => {
    const there = await record(auth.other);
    await expect(administration().suspend('owner@school.example', there)).rejects.toMatchObject({ code: 'not_found' });
  });
});
