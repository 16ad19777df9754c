import { request } from 'node:http';
import { postForms } from '@lyceum/testing';
import { CALLBACK, PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { CHALLENGE } from './flow.js';

const HOST = 'secure.example';
const ORIGIN = `https://${HOST}`;

interface ApiResponse {
  readonly status: number | undefined;
  readonly location: string;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** The headers of the edge after TLS termination. */
function send(auth: TestAuth, path: string, cookie: string, form?: URLSearchParams, host = HOST): Promise<ApiResponse> {
  const headers: Record<string, string> = { host, cookie, 'x-forwarded-proto': 'https' };
  if (form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, auth.url), { method: form ? 'POST' : 'GET', headers }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (part: string) => (body += part));
      incoming.on('end', () => {
        const { location = '', 'set-cookie': cookies = [] } = incoming.headers;
        resolve({ status: incoming.statusCode, location, cookies, body });
      });
    });
    outgoing.on('error', reject).end(form?.toString());
  });
}
const pairs = (cookies: readonly string[]): string => cookies.map((line) => line.split(';', 1)[0]).join('; ');

describe('A site behind TLS', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
    const owner = { email: 'owner@secure.example', name: 'Owner', password: PASSWORD, roles: ['owner' as const] };
    const client = { client_id: 'tool', name: 'Tool', audience: 'operator' as const, scopes: ['openid'] };
    await auth.apply({
      sites: [
        {
          base_url: ORIGIN,
          name: 'Secure School',
          slug: 'secure',
          people: [owner],
          clients: [{ ...client, redirect_uris: [CALLBACK] }],
        },
      ],
    });
  });
  afterAll(() => auth.stop());

  /** The site is reachable over TLS only, so an attacker on the network can neither read nor write a cookie. */
  function expectSecure({ cookies }: ApiResponse, name: string): void {
    expect(cookies.filter((line) => line.startsWith(`${name}=`))).toHaveLength(1);
    for (const line of cookies) {
      expect(line).toMatch(/; ?secure/i);
      expect(line).toMatch(/; ?httponly/i);
      expect(line).toMatch(/; ?samesite=(lax|strict)/i);
      expect(line).not.toMatch(/domain=/i);
    }
  }

  it('binds the session cookie to its host by the __Host- prefix (RFC 6265bis §4.1.3.2)', async () => {
    const page = await send(auth, '/account/sign-in', '');
    expectSecure(page, 'lyceum.sign-in');
    const [form] = postForms(page.body);
    const fields = new URLSearchParams(form?.fields);
    fields.set('email', 'owner@secure.example');
    fields.set('password', PASSWORD);
    const signedIn = await send(auth, '/account/sign-in', pairs(page.cookies), fields);
    expect([signedIn.status, signedIn.location]).toEqual([303, '/account']);
    expectSecure(signedIn, '__Host-lyceum');
    const session = signedIn.cookies.filter((line) => line.startsWith('__Host-'));
    for (const line of session) expect(line).toMatch(/; ?path=\/(;|$)/i);
    const account = await send(auth, '/account', pairs(session));
    expect([account.status, account.body.includes('owner@secure.example')]).toEqual([200, true]);
    // An attacker on a subdomain or the network could write a cookie with the plain name, which is ignored.
    const written = pairs(session).replaceAll('__Host-lyceum', 'lyceum');
    expect((await send(auth, '/account', written)).status).toBe(303);
  });

  it.each([
    [HOST, 200],
    [`${HOST}.`, 200],
    [`${HOST}:443`, 200],
    [`${HOST}:80`, 421],
    [`${HOST}:8443`, 421],
  ])('serves the site under its host, with the default port of https alone: %s', async (host, status) => {
    expect((await send(auth, '/account/sign-in', '', undefined, host)).status).toBe(status);
  });

  it('binds the cookies of an authorization to its host too', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'tool',
      redirect_uri: CALLBACK,
      scope: 'openid',
      state: 'a-state',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    const response = await send(auth, `/oauth/authorize?${query.toString()}`, '');
    expect([response.status, response.location]).toEqual([303, expect.stringMatching(/^\/oauth\/interaction\//)]);
    expectSecure(response, 'lyceum.interaction');
    expectSecure(response, 'lyceum.resume');
  });
});
