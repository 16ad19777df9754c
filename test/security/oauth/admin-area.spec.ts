import { postForms } from '@lyceum/testing';
import { personOf } from '../../stack/system-stack.js';
import { Actor, CALLBACK, encoded, otherSite, site, sourceIn, type ApiResponse, type Fields } from './attack.js';

const source = sourceIn(93);
const ACTIONS = [
  '/admin/applications',
  '/admin/applications/change',
  '/admin/applications/delete',
  '/admin/applications/rotate',
  '/admin/applications/end-secret',
  '/admin/applications/pages',
  '/admin/mcp-connections',
  '/admin/settings',
  '/admin/client-hosts',
  '/admin/client-hosts/remove',
  '/admin/clients',
  '/admin/people',
  '/admin/people/roles',
  '/admin/people/resend',
  '/admin/people/suspend',
  '/admin/people/reinstate',
  '/admin/people/remove',
  '/account/disconnect',
  '/account/email',
  '/account/email/cancel',
  '/account/end-session',
  '/account/export',
  '/account/leave',
  '/account/passkeys/remove',
  '/account/sign-out',
];
const PAGES = [
  '/admin',
  '/admin/applications',
  '/admin/new-application',
  '/admin/people',
  '/admin/invite',
  '/admin/clients',
  '/admin/client-hosts',
  '/admin/settings',
  '/admin/mcp-connections',
  '/admin/mcp-connections/off',
  '/admin/activity',
  '/admin/audit',
];

/** Signs in at the account of a site, without an application. */
async function signedIn(role: string, at = site): Promise<Actor> {
  const actor = new Actor(source, at);
  const page = await actor.signIn(await actor.browser.open('/account'), role);
  if (page.url.pathname !== '/account') throw new Error(`Still at ${page.url.pathname}: ${page.status}`);
  return actor;
}

const cookieOf = (actor: Actor): string => actor.browser.cookiesFor('/account');
const post = (actor: Actor, path: string, form: Fields, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  actor.send(path, { form: encoded(form), headers: { cookie: cookieOf(actor), ...headers } });

async function csrfOf(actor: Actor): Promise<string> {
  const { body } = await actor.browser.open('/account');
  return postForms(body)[0]!.fields.get('csrf')!;
}

it.each(ACTIONS)('refuses a form for %s of another page, another origin or another person', async (path) => {
  const [owner, thief] = [await signedIn('owner'), await signedIn('student')];
  const form = {
    name: 'x',
    redirect_uris: CALLBACK,
    scope: 'account:read',
    client_id: 'x',
    review: 'blocked',
    where: 'everywhere',
  };
  const csrf = await csrfOf(owner);
  const attempts = [
    await post(owner, path, form),
    await post(owner, path, { ...form, csrf: 'x' }),
    await post(owner, path, { ...form, csrf: await csrfOf(thief) }),
    await post(owner, path, { ...form, csrf }, { origin: 'https://evil.example' }),
    await post(owner, path, { ...form, csrf }, { origin: otherSite.base_url }),
    await post(owner, path, { ...form, csrf }, { 'sec-fetch-site': 'cross-site' }),
    await post(thief, path, { ...form, csrf }),
  ];
  expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403));
  // The session is still valid.
  expect((await owner.browser.open('/account')).url.pathname).toBe('/account');
});

it.each(PAGES)('shows %s only to owners and admins of the site', async (path) => {
  for (const role of ['student', 'lecturer'])
    expect([role, (await (await signedIn(role)).browser.open(path)).status]).toEqual([role, 404]);
  // A session of the other site is not valid here.
  const stranger = await signedIn('owner', otherSite);
  const here = new Actor(source);
  const { status, headers } = await here.send(path, { headers: { cookie: cookieOf(stranger) } });
  expect([status, headers['location']]).toEqual([303, `/account/sign-in?next=${encodeURIComponent(path)}`]);
  // The owner of another site is no member here, so the sign-in is refused.
  const page = await here.browser.open('/account');
  const { email, password } = personOf(otherSite, 'owner');
  await here.submit(page, 'password', { email, password });
  expect((await here.browser.open(path)).url.pathname).toBe('/account/sign-in');
});

const OTHERS = ['/account/password', '/account/sign-up', '/account/email-link', '/account/sign-out-everywhere'];
const PASSWORD_FORMS = ['/account/change-password', '/account/passkeys'];
const SHA256 = "'sha256-[^' ]+'";

it.each<[string, string, string]>([
  ...OTHERS.map((path): [string, string, string] => [path, 'no script', '']),
  // Times are shown in the zone of the browser.
  ...[...PAGES, '/account'].map((path): [string, string, string] => [
    path,
    'at most one script, of ours',
    `(script-src ${SHA256}; )?`,
  ]),
  // Fields of passwords can be shown.
  ...PASSWORD_FORMS.map((path): [string, string, string] => [path, 'one script, of ours', `script-src ${SHA256}; `]),
  ['/account/sign-in', 'two scripts, of ours', `script-src ${SHA256} ${SHA256}; `],
])('serves %s with %s, no framing and no caching', async (path, _what, script) => {
  const actor = await signedIn('owner');
  const { headers } = await actor.send(path, { headers: { cookie: cookieOf(actor) } });
  expect(headers['content-security-policy']).toMatch(
    new RegExp(`^default-src 'none'; ${script}img-src data: 'self'; style-src ${SHA256}; form-action 'self'; `),
  );
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect([headers['cache-control'], headers['x-frame-options']]).toEqual(['no-store', 'DENY']);
});
