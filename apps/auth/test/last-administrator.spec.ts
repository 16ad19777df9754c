import { randomUUID } from 'node:crypto';
import type { Page } from '@lyceum/testing';
import { csrfOf, signedIn } from './admin-flow.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import type { Flow } from './flow.js';
import { Hold } from './hold.js';

interface Administrator {
  readonly id: string;
  readonly flow: Flow;
}

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(() => auth.resetLimits());
afterAll(() => auth.stop());

async function administrator(role: 'owner' | 'admin'): Promise<Administrator> {
  const name = `${role}-${randomUUID().slice(0, 8)}`;
  const { site_id: _site, people: _people, clients: _clients, ...site } = auth.site;
  const email = `${name}@school.example`;
  await auth.apply({ sites: [{ ...site, people: [{ email, name, password: PASSWORD, roles: [role] }] }] });
  const { flow } = await signedIn(auth, '/admin', name);
  const [row] = await auth.sql<{ member_id: string }>(
    `select member_id from site_members m join people p using (person_id) where m.site_id = $1 and p.email = $2`,
    [auth.site.site_id, email],
  );
  return { id: row?.member_id ?? '', flow };
}

/** The form that changes the other one, as it is shown before either is sent. */
async function formFor(by: Administrator, other: Administrator, action: string): Promise<() => Promise<Page>> {
  if (action !== 'roles') {
    const question = await by.flow.browser.open(`/admin/people/${other.id}/${action}`);
    return () => by.flow.submit(question, 'member', {});
  }
  const page = await by.flow.browser.open(`/admin/people/${other.id}`);
  const base = /name="base" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
  const fields = { csrf: csrfOf(page), base, member: other.id, role: 'student', confirmed: 'yes' };
  return () => by.flow.browser.open('/admin/people/roles', new URLSearchParams(fields));
}

/** The administrators among the members. */
async function left(...members: readonly Administrator[]): Promise<number> {
  const found = await auth.sql(
    `select 1 from site_members where member_id = any($1) and state = 'active' and roles && '{owner,admin}'`,
    [members.map(({ id }) => id)],
  );
  return found.length;
}

it.each([
  ['owner', 'roles'],
  ['owner', 'suspend'],
  ['owner', 'remove'],
  ['admin', 'roles'],
  ['admin', 'suspend'],
  ['admin', 'remove'],
] as const)('keeps one of two (%s) who change each other (%s) at the same time', async (role, action) => {
  const [one, two] = [await administrator(role), await administrator(role)];
  const sends = [await formFor(one, two, action), await formFor(two, one, action)];
  // Both transactions have begun and wait for the memberships.
  const hold = await Hold.of(auth, 'select 1 from site_members where member_id = any($1) for update', [
    [one.id, two.id],
  ]);
  const responses = sends.map((send) => send());
  await hold.waiting(2);
  await hold.release();
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(await left(one, two)).toBe(1);
  expect(statuses.filter((status) => status === 403 || status === 404)).toHaveLength(1);
});
