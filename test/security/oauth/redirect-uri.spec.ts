import { Actor, CALLBACK, otherSite, site, sourceIn, type Fields } from './attack.js';

/** The application with an https redirect URI. All other demo applications use loopback. */
const web = site.clients.find(({ redirect_uris: [uri = ''] }) => uri.startsWith('https:'))!;
const [HTTPS = ''] = web.redirect_uris;
const ofWeb = (redirect_uri: string | null): Fields => ({
  client_id: web.client_id,
  scope: 'openid courses:read',
  redirect_uri,
});
const { host, origin, pathname } = new URL(HTTPS);

/** RFC 6749 §4.1.2.1: shows an error page and does not redirect. */
async function expectPage(overrides: Fields): Promise<void> {
  const actor = new Actor(sourceIn(3));
  const { status, headers, text } = await actor.send(actor.authorization(overrides));
  expect([status, headers['location'], headers['content-type']]).toEqual([400, undefined, 'text/html; charset=utf-8']);
  // The page has no link to that URI.
  expect(text).not.toContain('evil.example');
  expect(text).not.toMatch(/http-equiv="?refresh/i);
}

it('shows the sign-in page for the registered redirect URIs', async () => {
  const actor = new Actor(sourceIn(3));
  for (const overrides of [{}, ofWeb(HTTPS)]) {
    const page = await actor.browser.open(actor.authorization(overrides));
    expect([page.status, page.body.includes('name="password"')]).toEqual([200, true]);
  }
});

it.each([
  ['a longer path', `${HTTPS}/evil`],
  ['a shorter path', HTTPS.slice(0, -1)],
  ['the origin alone', `${origin}/`],
  ['the registered address as a prefix of a host', `${origin}.evil.example${pathname}`],
  ['the registered host as a user name', `https://${host}@evil.example${pathname}`],
  ['the registered host as a user name and password', `https://${host}:443@evil.example${pathname}`],
  ['credentials before the registered host', `https://user:pass@${host}${pathname}`],
  ['a subdomain', `https://evil.${host}${pathname}`],
  ['the parent domain', `https://${host.slice(4)}${pathname}`],
  ['path traversal', `${HTTPS}/../../evil`],
  ['path traversal, encoded', `${origin}/oauth/%2e%2e/oauth/callback`],
  ['path traversal, encoded twice', `${origin}/oauth/%252e%252e/oauth/callback`],
  ['a dot segment that normalizes to the registered address', `${origin}/oauth/./callback`],
  ['a path parameter', `${HTTPS};evil`],
  ['an encoded letter', HTTPS.replace('callback', 'c%61llback')],
  ['an encoded slash', HTTPS.replace('/callback', '%2fcallback')],
  ['a backslash', `https:\\\\${host}${pathname}`],
  ['a backslash before the evil host', `https://evil.example\\@${host}${pathname}`],
  ['three slashes', `https:///${host}${pathname}`],
  ['no scheme', `//${host}${pathname}`],
  ['http instead of https', HTTPS.replace('https:', 'http:')],
  ['the default port written out', `https://${host}:443${pathname}`],
  ['another port: only loopback has free ones (RFC 8252 §7.3)', `https://${host}:8443${pathname}`],
  ['another case of the host', `https://${host.toUpperCase()}${pathname}`],
  ['a dot after the host', `https://${host}.${pathname}`],
  ['a query', `${HTTPS}?next=https://evil.example`],
  ['a fragment', `${HTTPS}#evil`],
  ['an empty fragment', `${HTTPS}#`],
  ['an encoded fragment', `${HTTPS}%23evil`],
  ['a NUL', `${HTTPS}\u0000`],
  ['a line break', `${HTTPS}\r\nlocation: https://evil.example`],
  ['white space around it', ` ${HTTPS} `],
  ['a look-alike letter', HTTPS.replace('app', '\u0430pp')],
  ['localhost on https', `https://localhost${pathname}`],
  ['loopback of an application that has none', CALLBACK],
  ['a scheme that runs', 'javascript:alert(document.domain)//https://'],
  ['a data address', 'data:text/html,<script>alert(1)</script>'],
  ['nothing', ''],
])('refuses %s as the redirect URI of the web application', (_what, uri) => expectPage(ofWeb(uri)));

it.each([
  ['https on loopback', 'https://127.0.0.1:7777/callback'],
  ['localhost for the address', 'http://localhost:7777/callback'],
  ['localhost on https', 'https://localhost:7777/callback'],
  ['another loopback address', 'http://127.0.0.2:7777/callback'],
  ['IPv6 loopback', 'http://[::1]:7777/callback'],
  ['all addresses of the machine', 'http://0.0.0.0:7777/callback'],
  ['the address as a number', 'http://2130706433:7777/callback'],
  ['the address in short', 'http://127.1:7777/callback'],
  ['the port as a user name', 'http://127.0.0.1:7777@evil.example/callback'],
  ['the address as a subdomain', 'http://127.0.0.1.evil.example:7777/callback'],
  ['another path on a free port', 'http://127.0.0.1:50000/evil'],
  ['traversal on a free port', 'http://127.0.0.1:50000/callback/../evil'],
  ['a fragment on a free port', 'http://127.0.0.1:50000/callback#evil'],
])('refuses %s as the redirect URI of the loopback application', (_what, redirect_uri) => expectPage({ redirect_uri }));

it.each(['http://127.0.0.1:50000/callback', 'http://127.0.0.1/callback'])(
  'accepts %s: a loopback application chooses its port',
  async (redirect_uri) => {
    const actor = new Actor(sourceIn(3));
    const code = await actor.code({ redirect_uri });
    expect((await actor.exchange(code, { redirect_uri })).status).toBe(200);
  },
);

it('refuses a redirect URI of another application, of another site, and a missing one', async () => {
  await expectPage({ redirect_uri: HTTPS });
  await expectPage(ofWeb(otherSite.clients.at(-1)!.redirect_uris[0]!));
  await expectPage({ redirect_uri: null });
});

it('refuses two redirect URIs', async () => {
  const actor = new Actor(sourceIn(3));
  const response = await actor.send(`${actor.authorization()}&redirect_uri=https%3A%2F%2Fevil.example%2F`);
  expect([response.status, response.headers['location']]).toEqual([400, undefined]);
});
