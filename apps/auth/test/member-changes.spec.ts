import { randomUUID } from 'node:crypto';
import {
  REQUEST_HEADERS,
  changeMember,
  inviteMember,
  reinstateMember,
  removeMember,
  setMemberRoles,
  suspendMember,
} from '@lyceum/contracts';
import type { ChangedMembership, MEMBER_REQUESTS, Reply } from '@lyceum/contracts';
import { EventEraser } from '@lyceum/messaging';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { Administration } from '#src/commands/administration.js';
import type { SiteRecord } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';
import { messagesWith, tablesWith } from './personal-data.js';

type Definition = (typeof MEMBER_REQUESTS)[number];
type Sent = { readonly request_id?: string; readonly dry_run?: boolean; readonly by?: string } & Record<
  string,
  unknown
>;

let nats: TestNats;
let auth: TestAuth;
/** The NATS user of admin-api. */
let school: NatsConnection;
let admin: NatsConnection;

beforeAll(async () => {
  nats = await testNats();
  auth = await startAuth({ nats: nats.environment('auth') });
  school = await connectAs(nats.environment('admin-api'));
  admin = await connectAs(nats.environment('admin'));
  await auth.app.get(Administration).addRole(await record(auth.other), 'owner@school.example', 'owner');
});
afterAll(async () => {
  await auth.stop();
  await Promise.all([school.close(), admin.close()]);
  await nats.stop();
});

async function record({ site_id }: TestSite): Promise<SiteRecord> {
  const site = await auth.app.get(SitesService).byId(site_id);
  if (site === undefined) throw new Error('The stage has it');
  return site;
}
const idOf = async (email: string, site: TestSite = auth.site): Promise<string> => {
  const text = `select m.member_id from site_members m join people p using (person_id) where m.site_id = $1 and p.email = $2`;
  const [row] = await auth.sql<{ member_id: string }>(text, [site.site_id, email]);
  return row?.member_id ?? '';
};
const memberNamed = (name: string, site?: TestSite): Promise<string> => idOf(`${name}@school.example`, site);

async function ask(definition: Definition, sent: Sent, site: TestSite = auth.site): Promise<Reply> {
  const { by = 'owner', request_id = randomUUID(), dry_run = false, ...more } = sent;
  const actor = { member_id: (await memberNamed(by, site)) || randomUUID(), client_id: 'office', via: 'rest' };
  const written = headers();
  written.set(REQUEST_HEADERS.site, site.site_id);
  written.set(REQUEST_HEADERS.deadline, String(Date.now() + 30_000));
  const body = JSON.stringify({ request_id, dry_run, actor, ...more });
  return (await school.request(definition.subject, body, { timeout: 30_000, headers: written })).json<Reply>();
}
async function change(definition: Definition, sent: Sent, site?: TestSite): Promise<ChangedMembership> {
  const reply = await ask(definition, sent, site);
  if (!reply.ok) throw new Error(`${reply.error.code}: ${reply.error.detail}`);
  return definition.output.parse(reply.result);
}
async function codeOf(definition: Definition, sent: Sent, site?: TestSite): Promise<string> {
  const reply = await ask(definition, sent, site);
  return reply.ok ? 'ok' : reply.error.code;
}
const email = (): string => `${randomUUID()}@example.com`;
const invite = (more: Sent = {}, site?: TestSite): Promise<ChangedMembership> =>
  change(inviteMember, { email: email(), roles: ['lecturer'], ...more }, site);
const mailsTo = async (address: string): Promise<number> => {
  const text = `select count(*)::int as mails from mails join people p using (person_id) where p.email = $1`;
  return (await auth.sql<{ mails: number }>(text, [address]))[0]?.mails ?? 0;
};
const versionOf = async (member_id: string): Promise<number | undefined> =>
  (await auth.sql<{ version: number }>('select version from site_members where member_id = $1', [member_id]))[0]
    ?.version;

describe('invite_member', () => {
  it('adds an invited member with the profile, and mails an invitation', async () => {
    const address = email();
    const { membership, changed } = await invite({
      email: address.toUpperCase(),
      name: 'Mei Lin',
      phone: '+886912345678',
    });
    expect(changed).toBe(true);
    expect(membership).toMatchObject({
      member_id: await idOf(address),
      site_id: auth.site.site_id,
      email: address,
      name: 'Mei Lin',
      phone: '+886912345678',
      state: 'invited',
      roles: ['lecturer'],
      epoch: 1,
      version: 1,
    });
    expect(await mailsTo(address)).toBe(1);
  });

  it('changes nothing twice for a repeated request', async () => {
    const request = { request_id: randomUUID(), email: email() };
    const first = await invite(request);
    expect(await invite(request)).toEqual(first);
    expect([await mailsTo(request.email), await versionOf(first.membership.member_id)]).toEqual([1, 1]);
  });

  it('refuses the address of a member with the id, and adds no second mail', async () => {
    const { membership } = await invite();
    const reply = await ask(inviteMember, { email: membership.email, roles: ['student'] });
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'already_exists', errors: [{ pointer: '/email', id: membership.member_id }] },
    });
    expect(await mailsTo(membership.email)).toBe(1);
  });

  it('responds for a person of another site as for an unknown one', async () => {
    const address = email();
    await invite({ email: address, name: 'Elsewhere' }, auth.other);
    const plain = ({ membership }: ChangedMembership): object => {
      const { member_id, person_id, joined_at, ...rest } = membership;
      expect([member_id, person_id, joined_at]).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
      return { ...rest, name: rest.name.length, email: rest.email.length };
    };
    expect(plain(await invite({ email: address }))).toEqual(plain(await invite()));
  });

  it('adds nothing in a dry run', async () => {
    const address = email();
    const request = { email: address, request_id: randomUUID(), dry_run: true };
    expect((await invite(request)).membership).toMatchObject({ email: address, state: 'invited' });
    expect([await idOf(address), await mailsTo(address)]).toEqual(['', 0]);
    expect((await invite({ ...request, dry_run: false })).changed).toBe(true);
  });

  it.each(['lecturer', 'student', 'stranger'])('refuses %s', async (by) => {
    expect(await codeOf(inviteMember, { by, email: email(), roles: ['student'] })).toBe('forbidden');
  });

  it('refuses an address that replaces the one of an erased person', async () => {
    const erased = `${randomUUID()}@deleted.invalid`;
    expect(await codeOf(inviteMember, { email: erased, roles: ['student'] })).toBe('validation_failed');
    expect(await auth.sql('select 1 from people where email = $1', [erased])).toEqual([]);
  });

  it('refuses the role owner', async () => {
    expect(await codeOf(inviteMember, { email: email(), roles: ['owner'] })).toBe('validation_failed');
  });
});

describe('a change of a member', () => {
  it('sets roles and the profile', async () => {
    const { member_id } = (await invite()).membership;
    const roles = (await change(setMemberRoles, { member_id, roles: ['student', 'admin'] })).membership;
    expect(roles).toMatchObject({ roles: ['admin', 'student'], state: 'invited', version: 2 });
    const profile = (await change(changeMember, { member_id, name: 'Lin', picture: null })).membership;
    expect(profile).toMatchObject({ name: 'Lin', roles: ['admin', 'student'], version: 3 });
    expect(await change(changeMember, { member_id, name: 'Lin' })).toMatchObject({
      changed: false,
      membership: { version: 3 },
    });
  });

  it.each([
    ['owner', 'owner', 'forbidden'],
    ['admin', 'owner', 'forbidden'],
    ['admin', 'admin', 'forbidden'],
    ['lecturer', 'student', 'forbidden'],
    ['admin', 'lecturer', 'ok'],
  ])('applies the rules of roles: %s changes %s: %s', async (by, target, code) => {
    const member_id = await memberNamed(target);
    const roles = target === 'lecturer' ? ['lecturer'] : ['student'];
    expect(await codeOf(setMemberRoles, { by, member_id, roles })).toBe(code);
  });

  it('keeps one of two owners who suspend each other at the same time', async () => {
    const second = `second-${randomUUID()}`;
    const address = `${second}@school.example`;
    await auth.app
      .get(Administration)
      .invite(await record(auth.site), { email: address, name: 'Second', role: 'owner' });
    const [one, two] = [await memberNamed('owner'), await memberNamed(second)];
    await auth.sql(`update site_members set state = 'active' where member_id = any($1)`, [[one, two]]);
    const codes = await Promise.all([
      codeOf(suspendMember, { by: 'owner', member_id: two }),
      codeOf(suspendMember, { by: second, member_id: one }),
    ]);
    expect(codes.toSorted()).toEqual(['forbidden', 'ok']);
    await auth.sql(`update site_members set state = 'active' where member_id = any($1)`, [[one, two]]);
    await auth.app.get(Administration).removeMember(await record(auth.site), address);
  });

  it('does not find a member of another site, or an unknown one', async () => {
    const elsewhere = (await invite({}, auth.other)).membership.member_id;
    for (const member_id of [elsewhere, randomUUID()]) {
      expect(await codeOf(suspendMember, { member_id })).toBe('not_found');
      expect(await codeOf(suspendMember, { member_id, by: 'student' })).toBe('forbidden');
    }
  });

  it('changes nothing in a dry run', async () => {
    const { member_id } = (await invite()).membership;
    const result = await change(setMemberRoles, { member_id, roles: ['admin'], dry_run: true });
    expect([result.changed, result.membership.roles]).toEqual([true, ['admin']]);
    expect(await versionOf(member_id)).toBe(1);
  });
});

describe('suspend_member', () => {
  it('ends tokens, refresh tokens and sessions at this site only, until reinstate_member', async () => {
    const member_id = await memberNamed('both');
    const [here, there] = [new Flow(auth), new Flow(auth, auth.other, { client_id: 'second-member' })];
    const [tokens, others] = [await here.tokens({}, 'both'), await there.tokens({}, 'both')];
    expect((await change(suspendMember, { member_id })).membership).toMatchObject({ state: 'suspended' });
    expect(await here.isActive(tokens.access_token)).toBe(false);
    expect((await here.refresh(tokens.refresh_token)).body['error']).toBe('invalid_grant');
    const again = new Flow(auth);
    const page = await again.signIn(await again.browser.open('/account/sign-in'), 'both');
    expect(page.status).toBe(422);
    expect(await there.isActive(others.access_token)).toBe(true);
    expect((await there.refresh(others.refresh_token)).status).toBe(200);
    expect(await change(suspendMember, { member_id })).toMatchObject({ changed: false });
    expect((await change(reinstateMember, { member_id })).membership).toMatchObject({ state: 'active' });
    expect((await new Flow(auth).tokens({}, 'both')).scope).toContain('account:read');
  });

  it('refuses a member who is invited', async () => {
    const { member_id } = (await invite()).membership;
    expect(await codeOf(suspendMember, { member_id })).toBe('invalid_state');
    expect(await codeOf(reinstateMember, { member_id })).toBe('invalid_state');
  });
});

describe('remove_member', () => {
  it('erases a person without another site from all tables', async () => {
    const [address, name] = [email(), `Mei ${randomUUID()}`];
    const { member_id } = (await invite({ email: address, name })).membership;
    const { membership } = await change(removeMember, { member_id });
    expect(membership).toMatchObject({
      state: 'removed',
      roles: [],
      email: `${member_id}@deleted.invalid`,
      name: 'Deleted',
    });
    // The relay empties the outbox.
    await eventually(
      () => tablesWith(auth, address, name),
      (tables) => tables.length === 0,
    );
    expect(await change(removeMember, { member_id })).toMatchObject({ changed: false });
  });

  it('deletes earlier events from the stream, and keeps those of others', async () => {
    const [removed, kept] = [await invite(), await invite()];
    const [before, after] = [removed.membership.email, `${removed.membership.member_id}@deleted.invalid`];
    const counts = () => Promise.all([before, after].map((address) => messagesWith(admin, address)));
    await eventually(counts, ([earlier = 0]) => earlier > 0);
    await change(removeMember, { member_id: removed.membership.member_id });
    await eventually(counts, ([, removal]) => removal === 1);
    await auth.app.get(EventEraser, { strict: false }).run();
    expect(await counts()).toEqual([0, 1]);
    expect(await messagesWith(admin, kept.membership.email)).toBeGreaterThan(0);
  });

  it('keeps the person and the profile of another site', async () => {
    const address = email();
    const { member_id } = (await invite({ email: address, name: 'Here' })).membership;
    const there = (await invite({ email: address, name: 'There' }, auth.other)).membership.member_id;
    await change(removeMember, { member_id });
    const text = 'select p.email, m.name from site_members m join people p using (person_id) where m.member_id = $1';
    expect(await auth.sql(text, [there])).toEqual([{ email: address, name: 'There' }]);
  });

  it('gives a person who returns another id, whether or not the person has another site', async () => {
    const [address, other] = [email(), email()];
    await invite({ email: other }, auth.other);
    for (const one of [address, other]) {
      const { member_id } = (await invite({ email: one, name: 'Before' })).membership;
      await change(removeMember, { member_id });
      const { membership } = await invite({ email: one });
      expect(membership).toMatchObject({ state: 'invited', name: one.split('@')[0], email: one });
      expect(membership.member_id).not.toBe(member_id);
    }
  });
});
