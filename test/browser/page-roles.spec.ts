import type { Browser, Page } from 'playwright-core';
import { sql } from '../discovery/walker.js';
import { personOf, systemStack } from '../stack/system-stack.js';
import { launchChromium } from './chromium.js';
import { newPerson } from './deployment.js';
import { PAGE_ROLES } from './page-roles.js';
import type { Audience } from './page-roles.js';
import { type Scene, scene } from './scene.js';
import { signIn } from './sign-in.js';
import { visitor } from './visitor.js';

const ROLES = ['owner', 'admin', 'lecturer', 'student'] as const;
const OPERATORS: readonly string[] = ['owner', 'admin'];
const CLOSED = 'This page is for owners and admins';
const UNKNOWN = 'The page does not exist';

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
  let browser: Browser;
  let known: Scene;
  let parts: Readonly<Record<string, string>>;

  beforeAll(async () => {
    browser = await launchChromium();
    const { context, page } = await visitor(browser, site.base_url, { scripts: false });
    known = await scene(page, site);
    await context.close();
    parts = await partsOfPaths();
  });
  afterAll(async () => browser.close());

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

  /** The status of the page at the end of all redirects, and its heading. */
  async function seen(page: Page, path: string): Promise<readonly [status: number, heading: string]> {
    const response = await page.goto(addressOf(path), { waitUntil: 'domcontentloaded' });
    return [response?.status() ?? 0, (await page.locator('h1').first().innerText()).trim()];
  }

  const pathsFor = (...audiences: readonly Audience[]): string[] =>
    Object.keys(PAGE_ROLES).filter((path) => audiences.includes(PAGE_ROLES[path]!));

  it.each(ROLES)('opens to a person who may see it, and names whom to ask to others: %s', async (role) => {
    const { context, page } = await visitor(browser, site.base_url, { scripts: false });
    const person = await newPerson(page, site, role);
    await page.goto('/account');
    await signIn(page, person);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    const others: unknown[] = [];
    for (const path of pathsFor('everyone', 'members', 'operators')) {
      const [status, heading] = await seen(page, path);
      const { status: wanted = 200, heading: title } = expectation(role, path);
      const isShown = title === undefined ? !['Sign in', CLOSED, UNKNOWN].includes(heading) : title === heading;
      if (status !== wanted || !isShown) others.push([path, status, heading]);
      if (heading !== CLOSED) continue;
      const text = await page.getByRole('main').innerText();
      expect(text).toContain(`You are signed in as ${person.email}`);
      expect(text).toContain(`Ask an owner or admin of ${site.name}.`);
    }
    expect(others).toEqual([]);
    await context.close();
  });

  it('asks a visitor to sign in before all but the open ones', async () => {
    const { context, page } = await visitor(browser, site.base_url, { scripts: false });
    for (const path of pathsFor('members', 'operators'))
      expect([path, await seen(page, path)]).toEqual([path, [200, 'Sign in']]);
    for (const path of pathsFor('everyone')) expect([path, (await seen(page, path))[0]]).toEqual([path, 200]);
    await context.close();
  });

  it('says that a link is over without a valid one', async () => {
    const { context, page } = await visitor(browser, site.base_url, { scripts: false });
    const paths = pathsFor('link');
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths)
      expect([path, await seen(page, path)]).toEqual([path, [404, 'This link is no longer valid']]);
    await context.close();
  });
});
