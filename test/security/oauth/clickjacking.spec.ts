import { postForms } from '@lyceum/testing';
import { Actor, rawHttp, site, sourceIn, type ApiResponse, type Fields } from './attack.js';

const actor = new Actor(sourceIn(7));

/** The scripts of pages. The policy names their hashes, so no other script can replace them. */
const OWN_SCRIPTS =
  /<script src="\/account\/scripts\/(?:passkeys|page)\.[0-9a-f]{16}\.js" integrity="(sha256-[^"]+)" defer><\/script>/g;

function withoutOwnScripts(text: string, policy: string): string {
  const sources = [...text.matchAll(OWN_SCRIPTS)].map(([, integrity]) => `'${integrity}'`);
  expect(/script-src ([^;]*);/.exec(policy)?.[1] ?? '').toBe(sources.join(' '));
  return text.replaceAll(OWN_SCRIPTS, '');
}

function expectUnframeable({ headers, text }: ApiResponse): void {
  expect(headers['content-type']).toMatch(/^text\/html/);
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  expect(withoutOwnScripts(text, policy)).not.toMatch(/<script|\son\w+=|javascript:/i);
}

/** The page that the actor's flow ends at, with its headers. */
async function pageOf(overrides: Fields, signedIn: boolean): Promise<{ path: string; response: ApiResponse }> {
  const own = new Actor(sourceIn(7));
  let page = await own.browser.open(own.authorization({ prompt: 'consent', ...overrides }));
  if (signedIn) page = await own.signIn(page);
  const path = page.url.pathname;
  return { path, response: await own.send(path, { headers: { cookie: own.browser.cookiesFor(path) } }) };
}

it.each([
  ['the sign-in page', {}, false, 'name="password"'],
  ['the consent page', {}, true, 'value="approve"'],
  ['the sign-in page with markup in what the client sends', { login_hint: '"><script>x</script>' }, false, 'password'],
])('serves %s without framing, foreign scripts and caching', async (_what, overrides, signedIn, sign) => {
  const { response } = await pageOf(overrides, signedIn);
  expect([response.status, response.text.includes(sign)]).toEqual([200, true]);
  expectUnframeable(response);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['cross-origin-opener-policy']).toBe('same-origin');
});

it('protects the response to a failed and to a forged sign-in in the same way', async () => {
  const own = new Actor(sourceIn(7));
  const page = await own.browser.open(own.authorization({ prompt: 'login' }));
  const [form] = postForms(page.body);
  for (const csrf of [form!.fields.get('csrf'), 'forged']) {
    const headers = { cookie: own.browser.cookiesFor(form!.action) };
    const response = await own.send(form!.action, {
      form: { csrf, email: 'unknown@nowhere.example', password: 'x' },
      headers,
    });
    expect([422, 403]).toContain(response.status);
    expectUnframeable(response);
  }
});

it.each([
  ['the landing page', '/', 200],
  ['the page for a bad client', '/oauth/authorize?client_id=unknown&response_type=code', 400],
  ['the page for a stale interaction', '/oauth/interaction/nothing', 400],
  ['the page for a stale authorization', '/oauth/authorize/nothing', 400],
  ['the page of an invitation that is over', '/account/invitation?token=nothing', 404],
])('serves %s without framing and scripts', async (_what, path, status) => {
  const response = await actor.send(path);
  expectUnframeable(response);
  expect(response.status).toBe(status);
});

it('forbids sniffing of responses that are not pages, and framing of the pages for developers', async () => {
  for (const path of ['/.well-known/openid-configuration', '/auth.md', '/.well-known/jwks.json']) {
    const { headers } = await rawHttp(site.base_url, path, { headers: { host: new URL(site.base_url).host } });
    expect(headers['content-type']).not.toContain('html');
    expect({ path, sniff: headers['x-content-type-options'] }).toEqual({ path, sniff: 'nosniff' });
  }
  for (const path of ['/docs', '/docs/operations', '/docs/guides', '/member/explorer', '/connect']) {
    const { headers } = await rawHttp(site.base_url, path, { headers: { host: new URL(site.base_url).host } });
    expect([path, headers['content-security-policy']]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
  }
});
