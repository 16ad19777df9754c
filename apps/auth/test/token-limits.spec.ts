import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import type { ApiResponse, Parameters } from './flow.js';

/** The limits in auth.md. */
const [OF_GRANT, OF_CLIENT] = [60, 600];

let auth: TestAuth;
beforeAll(async () => {
  // X-Forwarded-For distinguishes the sources.
  auth = await startAuth({ environment: { TRUSTED_PROXIES: '127.0.0.0/8,::1/128' } });
});
afterAll(() => auth.stop());

let sources = 0;
/** A flow from an address without counted requests. */
class FromSource extends Flow {
  readonly #headers = { 'x-forwarded-for': `192.0.2.${(sources += 1)}` };

  override post(path: string, form: Parameters, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return super.post(path, form, { ...this.#headers, ...headers });
  }

  override userInfo(token: string): Promise<ApiResponse> {
    return this.send('/api/oauth/userinfo', { headers: { ...this.#headers, authorization: `Bearer ${token}` } });
  }
}

const statuses = (responses: readonly ApiResponse[]) => [...new Set(responses.map(({ status }) => status))];
const times = (count: number, request: () => Promise<ApiResponse>): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: count }, request));

/** The error of RFC 6749 §5.2 with the seconds to wait. */
function expectRefused({ status, headers, body }: ApiResponse): void {
  expect([status, body['error'], typeof body['error_description']]).toEqual([429, 'temporarily_unavailable', 'string']);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  const wait = Number(headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
}

describe('The token endpoint', () => {
  it('returns 429 after 60 requests of one grant, without extra requests from refreshes', async () => {
    const flow = new FromSource(auth);
    // The exchange of the code is the first request.
    let { refresh_token } = await flow.tokens();
    auth.spend('token_requests_of_grant', OF_GRANT - 3);
    for (let count = 0; count < 2; count += 1) {
      const { status, body } = await flow.refresh(refresh_token);
      expect(status).toBe(200);
      refresh_token = String(body['refresh_token']);
    }
    const rows = () => auth.sql('SELECT 1 FROM access_tokens UNION ALL SELECT 1 FROM refresh_tokens');
    const before = (await rows()).length;
    expectRefused(await flow.refresh(refresh_token));
    // Also from another address; nothing was written.
    expectRefused(await new FromSource(auth).refresh(refresh_token));
    expect((await rows()).length).toBe(before);
    // Another grant of the same person and client is not limited.
    expect((await flow.refresh((await flow.tokens()).refresh_token)).status).toBe(200);
  });

  it('returns 429 after 600 token requests of one client from one source', async () => {
    const flow = new FromSource(auth);
    const wrong = () => flow.refresh('x');
    auth.spend('token_requests', OF_CLIENT - 2);
    expect(statuses(await times(2, wrong))).toEqual([400]);
    expectRefused(await wrong());
    expect((await flow.refresh('x', { client_id: 'first-operator' })).status).toBe(400);
    expect((await new FromSource(auth).refresh('x')).status).toBe(400);
  });

  it('counts the token requests of a client per site', async () => {
    const [here, there] = [new FromSource(auth), new FromSource(auth, auth.other)];
    auth.spend('token_requests', OF_CLIENT - 2);
    expect(statuses(await times(2, () => here.refresh('x')))).toEqual([400]);
    expectRefused(await here.refresh('x'));
    expect((await there.refresh('x', { client_id: 'second-member' })).status).toBe(400);
  });
});

describe('The revocation endpoint', () => {
  it('returns 429 after 600 revocations of one client from one source', async () => {
    const flow = new FromSource(auth);
    const revoke = () => flow.post('/api/oauth/revoke', { token: 'x', client_id: 'first-member' });
    auth.spend('revocations', OF_CLIENT - 2);
    expect(statuses(await times(2, revoke))).toEqual([200]);
    expectRefused(await revoke());
    expect((await flow.post('/api/oauth/revoke', { token: 'x', client_id: 'first-operator' })).status).toBe(200);
  });
});

describe('UserInfo', () => {
  it('returns 429 after 600 UserInfo requests of one grant, with any of its tokens', async () => {
    const flow = new FromSource(auth);
    const { access_token, refresh_token } = await flow.tokens();
    const { body } = await flow.refresh(refresh_token);
    auth.spend('userinfo_requests', OF_CLIENT - 2);
    expect(statuses(await times(2, () => flow.userInfo(access_token)))).toEqual([200]);
    expectRefused(await flow.userInfo(String(body['access_token'])));
    expect((await flow.userInfo((await flow.tokens()).access_token)).status).toBe(200);
  });

  it('returns 429 to guesses of a source after 600 refused tokens, and accepts known tokens', async () => {
    const flow = new FromSource(auth);
    const { access_token } = await flow.tokens();
    expect((await flow.userInfo(access_token)).status).toBe(200);
    auth.spend('refused_tokens', OF_CLIENT - 2);
    expect(statuses(await times(2, () => flow.userInfo('guess')))).toEqual([401]);
    expectRefused(await flow.userInfo('another-guess'));
    expect((await flow.userInfo(access_token)).status).toBe(200);
    expect((await new FromSource(auth).userInfo('guess')).status).toBe(401);
  });
});

describe('Introspection', () => {
  it('does not limit introspection by resource servers', async () => {
    const flow = new FromSource(auth);
    const { access_token } = await flow.tokens();
    // The limit of clients is used up at once, if it counts these requests.
    auth.spend('introspections', OF_CLIENT);
    expect(statuses(await times(2, () => flow.introspect(access_token)))).toEqual([200]);
  });

  it('returns 429 after 600 introspections of one client from one source', async () => {
    const flow = new FromSource(auth);
    const introspect = (client_id = 'first-member') => flow.introspect('guess', { client_id });
    auth.spend('introspections', OF_CLIENT - 2);
    const responses = await times(2, () => introspect());
    expect(statuses(responses)).toEqual([200]);
    expect(responses[0]?.body).toEqual({ active: false });
    expectRefused(await introspect());
    expect((await introspect('first-operator')).status).toBe(200);
    expect((await new FromSource(auth).introspect('guess', { client_id: 'first-member' })).status).toBe(200);
  });
});
