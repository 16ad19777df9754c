import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrowserSession } from './browser-session.js';
import { OAuthClient, s256 } from './oauth-client.js';

const FORM = (field: string): string =>
  `<form method="post" action="/step"><input type="hidden" name="csrf" value="c"><input name="${field}"></form>`;
const PERSON = { email: 'a@school.example', password: 'p' };

/** An authorization server with a sign-in and a consent page. */
describe('an OAuth client', () => {
  let server: Server;
  let origin: string;
  let requests: string[] = [];
  let callback: string;
  /** The next page after each form that was sent. */
  let after: Readonly<Record<'password' | 'decision', string | undefined>>;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        requests.push(`${request.method} ${request.url?.split('?')[0]} ${body}`);
        if (request.method === 'GET') return response.end(FORM('password'));
        const page = after[body.includes('password') ? 'password' : 'decision'];
        return page === undefined ? response.writeHead(303, { location: callback }).end() : response.end(page);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests = [];
    after = { password: FORM('decision'), decision: undefined };
    callback = 'http://127.0.0.1:7777/callback?code=the-code&state=the-state';
  });
  afterAll(() => server.close());

  const client = (more: { client_secret?: string; resource?: null } = {}): OAuthClient =>
    new OAuthClient({
      browser: new BrowserSession({ origin }),
      client_id: 'app',
      redirect_uri: 'http://127.0.0.1:7777/callback',
      scope: 'openid',
      resource: origin,
      state: 'the-state',
      ...more,
    });

  it('signs in, approves, and returns the code', async () => {
    expect(await client().code(PERSON)).toBe('the-code');
    expect(requests).toEqual([
      'GET /oauth/authorize ',
      'POST /step csrf=c&email=a%40school.example&password=p',
      'POST /step csrf=c&decision=approve',
    ]);
  });

  it.each([
    ['an error', 'error=access_denied&error_description=No', 'Refused: access_denied (No)'],
    ['the state of another request', 'code=x&state=other', 'another state'],
  ])('rejects %s', async (_what, query, message) => {
    callback = `http://127.0.0.1:7777/callback?${query}`;
    await expect(client().code(PERSON)).rejects.toThrow(message);
  });

  it.each([
    ['sign-in', 'password'],
    ['consent', 'decision'],
  ])('rejects a %s page that is shown again, after one attempt', async (_what, field) => {
    after = { ...after, [field]: FORM(field) };
    await expect(client().code(PERSON)).rejects.toThrow('The sign-in of a@school.example stays at 200 /step');
    expect(requests.filter((line) => line.includes(field))).toHaveLength(1);
  });

  it('rejects a page that is neither of a sign-in nor of a consent', async () => {
    after = { ...after, password: '<h1>Blocked</h1>' };
    await expect(client().code(PERSON)).rejects.toThrow('stays at 200 /step: Blocked');
  });

  it('binds the code to its verifier', () => {
    const one = client();
    const challenge = new URL(one.authorization(), origin).searchParams.get('code_challenge');
    const verifier = one.exchangeForm('the-code').get('code_verifier') ?? '';
    expect(challenge).toBe(s256(verifier));
    expect(client().verifier).not.toBe(verifier);
  });

  it('sends the secret and the resource that it has, and leaves out what is null', () => {
    const form = client({ client_secret: 'secret' }).exchangeForm('c', { redirect_uri: null });
    expect([form.get('client_secret'), form.get('resource'), form.has('redirect_uri')]).toEqual([
      'secret',
      origin,
      false,
    ]);
    const plain = client({ resource: null });
    const { searchParams } = new URL(plain.authorization({ state: null }), origin);
    expect([searchParams.has('resource'), searchParams.has('state')]).toEqual([false, false]);
    expect([...plain.refreshForm('r').keys()]).toEqual(['grant_type', 'refresh_token', 'client_id']);
  });
});
