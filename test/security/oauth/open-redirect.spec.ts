import { Actor, CALLBACK, encoded, rawHttp, site, sourceIn, type Fields } from './attack.js';

const EVIL = 'https://evil.example/phish';
const host = new URL(site.base_url).host;
const actor = new Actor(sourceIn(8));

function expectNoWayOut(location: string | undefined): void {
  if (location === undefined) return;
  expect(new URL(location, site.base_url).origin).toBe(site.base_url);
}

it('redirects a valid authorization to the sign-in, then to the client', async () => {
  const { status, headers } = await actor.send(actor.authorization());
  expect([status, headers['location']]).toEqual([303, expect.stringMatching(/^\/oauth\/interaction\//)]);
  expect((await actor.callback()).get('code')).toEqual(expect.any(String));
});

it.each([
  '//evil.example/',
  '//evil.example/%2e%2e',
  '/\\evil.example/',
  '/%5cevil.example/',
  '/%2f%2fevil.example/',
  '/.//evil.example',
  '/oauth//evil.example',
  '/oauth/authorize//evil.example/..',
  '/oauth/interaction//evil.example',
  '/oauth/interaction/%0d%0alocation:%20https:%2f%2fevil.example',
  '/account//evil.example',
  '/docs//evil.example',
  '/docs/..//evil.example',
  '/mcp//evil.example',
  `/oauth/authorize?redirect_uri=${encodeURIComponent(EVIL)}`,
  `/oauth/logout?post_logout_redirect_uri=${encodeURIComponent(EVIL)}`,
  `/session/end?post_logout_redirect_uri=${encodeURIComponent(EVIL)}`,
  `/?next=${encodeURIComponent(EVIL)}&return_to=${encodeURIComponent(EVIL)}`,
])('does not redirect %s to another origin', async (path) => {
  const { headers, text } = await rawHttp(site.base_url, path, { headers: { host } });
  expectNoWayOut(headers['location']);
  expect(headers['refresh']).toBeUndefined();
  expect(text).not.toMatch(/(href|action|src)="[^"]*evil\.example/);
});

it.each(['return_to', 'next', 'post_logout_redirect_uri', 'initiate_login_uri', 'request_uri', 'target_link_uri'])(
  'does not redirect to the parameter %s of an authorization request',
  async (name) => {
    const parameters = await actor.callback({ [name]: EVIL });
    expect(parameters.toString()).not.toContain('evil');
  },
);

it('does not redirect to a target in the sign-in and consent forms', async () => {
  const victim = new Actor(sourceIn(8));
  const page = await victim.browser.open(victim.authorization({ prompt: 'consent' }));
  const consent = await victim.submit(page, 'password', {
    email: site.people.at(-2)!.email,
    password: site.people.at(-2)!.password,
    redirect_uri: EVIL,
    return_to: EVIL,
  });
  expect(consent.url.origin).toBe(site.base_url);
  const end = await victim.submit(consent, 'decision', { decision: 'approve', redirect_uri: EVIL, return_to: EVIL });
  expect(end.url.href).toContain(`${CALLBACK}?`);
});

it('redirects errors only to the registered redirect URI', async () => {
  const faults: Fields[] = [
    { scope: 'nonsense' },
    { response_type: 'token' },
    { code_challenge: null },
    { resource: EVIL },
  ];
  for (const wrong of faults) {
    const registered = await actor.send(actor.authorization(wrong));
    const { origin, pathname } = new URL(registered.headers['location']!);
    expect([registered.status, `${origin}${pathname}`]).toEqual([303, CALLBACK]);
    const evil = await actor.send(actor.authorization({ ...wrong, redirect_uri: EVIL }));
    expect([evil.status, evil.headers['location']]).toEqual([400, undefined]);
  }
});

it('shows a page, without a redirect, for an unknown client', async () => {
  const query = encoded({
    client_id: 'unknown',
    response_type: 'code',
    redirect_uri: EVIL,
    state: 'x',
    prompt: 'none',
  });
  const { status, headers } = await actor.send(`/oauth/authorize?${query.toString()}`);
  expect([status, headers['location']]).toEqual([400, undefined]);
});
