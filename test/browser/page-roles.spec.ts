import { BrowserSession } from '@lyceum/testing';
import { sql } from '../discovery/walker.js';
import { personOf, systemStack } from '../stack/system-stack.js';
import { newPerson } from './deployment.js';
import { PAGE_ROLES } from './page-roles.js';
import type { Audience } from './page-roles.js';
import { type Scene, scene } from './scene.js';

const ROLES = ['owner', 'admin', 'lecturer', 'student'] as const;
const OPERATORS: readonly string[] = ['owner', 'admin'];
const CLOSED = 'This page is for owners and admins';
const UNKNOWN = 'The page does not exist';
const SIGN_IN = { status: 200, heading: 'Sign in' };
const OVER = { status: 404, heading: 'This link is no longer valid' };

/** The text of the first element with this name. */
const textOf = (html: string, name: string): string =>
  (new RegExp(`<${name}\\b[^>]*>([^]*?)</${name}>`).exec(html)?.[1] ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The status and the heading of a page for a role, where they are not 200 and its own. */
function expectation(role: string, path: string): { readonly status?: number; readonly heading?: string } {
  if (PAGE_ROLES[path] === 'operators' && !OPERATORS.includes(role)) return { status: 404, heading: CLOSED };
  // The address of this site is an IP address, which has no passkeys.
  if (path.startsWith('/account/passkeys')) return { status: 404, heading: 'This site has no passkeys' };
  if (path === '/account/leave' && role === 'owner') return { status: 409, heading: 'An owner cannot leave' };
  // A person who is signed in may sign in as another one.
  return path === '/account/sign-in' ? { heading: 'Sign in' } : {};
}

/** Values of the query with which a page is opened. */
const QUERY: Readonly<Record<string, string>> = { '/admin/clients/:client_key/review': '?to=blocked' };

describe('Each page', () => {
  // The discovery suites check the documents of the other site; this one accepts document clients.
  const site = systemStack().sites[1]!;
  let known: Scene;
  let parts: Readonly<Record<string, string>>;

  beforeAll(async () => {
    known = await scene(site);
    parts = await partsOfPaths();
  });

  /** An object of the site for each part of a path that varies: an application has two secrets. */
  async function partsOfPaths(): Promise<Readonly<Record<string, string>>> {
    const [application] = await sql<{ client_id: string }>(
      `insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes, secret_hash,
                            previous_secret_hash, previous_secret_until)
       values (uuidv7()::text, $1, 'A server', 'member', 'site', '{https://server.example/callback}', '{openid}',
               sha256('one'), sha256('two'), now() + interval '1 day')
       returning client_id`,
      site.site_id,
    );
    const [document] = await sql<{ client_key: string }>(
      'select client_key from clients where client_id = $1',
      known.documentClient,
    );
    return {
      client_id: application!.client_id,
      client_key: document!.client_key,
      member_id: personOf(site, 'student').member_id,
      ending: 'suspend',
      file: 'first-call',
    };
  }

  const addressOf = (path: string): string =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => parts[name] ?? '') + (QUERY[path] ?? '');

  const visitor = (): BrowserSession => new BrowserSession({ origin: site.base_url });

  /** The page at the end of all redirects, with its status, its heading and its main text. */
  async function seen(browser: BrowserSession, path: string) {
    const { status, body } = await browser.open(addressOf(path));
    return { status, heading: textOf(body, 'h1'), text: textOf(body, 'main') };
  }

  const pathsFor = (...audiences: readonly Audience[]): string[] =>
    Object.keys(PAGE_ROLES).filter((path) => audiences.includes(PAGE_ROLES[path]!));

  it.each(ROLES)('opens to a person who may see it, and names whom to ask to others: %s', async (role) => {
    const [browser, { email, password }] = [visitor(), await newPerson(site, role)];
    const signedIn = await browser.submit(await browser.open('/account'), 'password', { email, password });
    expect(textOf(signedIn.body, 'h1')).toBe('Your account');
    const others: unknown[] = [];
    for (const path of pathsFor('everyone', 'members', 'operators')) {
      const { status, heading, text } = await seen(browser, path);
      const { status: wanted = 200, heading: title } = expectation(role, path);
      const isShown = title === undefined ? !['Sign in', CLOSED, UNKNOWN].includes(heading) : title === heading;
      if (status !== wanted || !isShown) others.push([path, status, heading]);
      if (heading !== CLOSED) continue;
      expect(text).toContain(`You are signed in as ${email}`);
      expect(text).toContain(`Ask an owner or admin of ${site.name}.`);
    }
    expect(others).toEqual([]);
  });

  it('asks a visitor to sign in before all but the open ones', async () => {
    const browser = visitor();
    for (const path of pathsFor('members', 'operators'))
      expect([path, await seen(browser, path)]).toEqual([path, expect.objectContaining(SIGN_IN)]);
    for (const path of pathsFor('everyone')) expect([path, (await seen(browser, path)).status]).toEqual([path, 200]);
  });

  it('says that a link is over without a valid one', async () => {
    const browser = visitor();
    const paths = pathsFor('link');
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expect([path, await seen(browser, path)]).toEqual([path, expect.objectContaining(OVER)]);
  });
});
