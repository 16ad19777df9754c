import { scaled } from '../arguments.ts';
import { benchSite } from '../bench-stack.ts';
import { fillAuthFamilies, forgetGrants, oneTime } from '../data/families.ts';
import { CALLBACK, CLIENT_ID, fillSites, hostOf, refreshTokenOf } from '../data/sites.ts';
import { fillAuth, token } from '../data/tokens.ts';
import { exchange, type ApiResponse } from '../exchange.ts';
import { ratioOfMedians } from '../in-turn.ts';
import { residentMemory } from '../processes.ts';
import { fromSource } from '../sources.ts';
import { copyDatabase, startTwin, type Twin } from '../twin.ts';
import type { LoadRequest, Suite } from '../suite.ts';

const HOUR = 3_600;
const FEW = 10_000;
const MANY = 1_000_000;
const SITES = 10_000;
/** Requests to all sites that are sent at once. */
const ABREAST = 16;
/** Requests of each kind to each of the two. */
const REQUESTS = 2_000;
/** Refreshes of one family, below the limit of a grant in a minute. */
const OF_A_FAMILY = 30;
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

/** Each refresh uses the token of the one before. */
type Rotation = (origin: string) => Promise<string>;

/** Proves that neither tokens nor sites slow a request down, and that sites need little memory. */
export const scale: Suite = async ({ stack, arguments: wanted, step, hold }) => {
  const [few, many] = [scaled(wanted, FEW), scaled(wanted, MANY)];
  const [sites, times] = [scaled(wanted, SITES), scaled(wanted, REQUESTS)];
  const site = benchSite(stack);
  const service = stack.services.find(({ name }) => name === 'auth')!;
  const databaseUrl = stack.databaseUrl('auth');
  const { INTROSPECTION_CLIENT_ID: id = '', INTROSPECTION_CLIENT_SECRET: secret = '' } =
    stack.environment('member-api');
  const { client_id: clientId } = site.clients.find(
    ({ audience, client_secret }) => audience === 'member' && client_secret === undefined,
  )!;
  const { host } = new URL(site.base_url);
  const issuedAt = Math.floor(Date.now() / 1_000);
  let requests = 0;
  const post = (path: string, body: Record<string, string>, at = host): LoadRequest => ({
    method: 'POST',
    path,
    headers: { ...FORM, ...fromSource((requests += 1)), host: at },
    body: new URLSearchParams(body).toString(),
  });
  const send = (request: LoadRequest): Promise<ApiResponse> => exchange(service.internalUrl, request);
  const refresh = async (origin: string, refresh_token: string, client_id = clientId, at = host): Promise<string> => {
    const body = { grant_type: 'refresh_token', refresh_token, client_id };
    return String(bodyOf(200, await exchange(origin, post('/api/oauth/token', body, at)))['refresh_token']);
  };

  /** Half of them access tokens, half refresh tokens. */
  const fill = (tokens: number): Promise<void> =>
    step(`load ${tokens} tokens`, async () => {
      const half = { site, clientId, tokens: tokens / 2, issuedAt, expiresAt: issuedAt + 2 * HOUR };
      await fillAuth(databaseUrl, half);
      await fillAuthFamilies(databaseUrl, { ...half, kind: 'RefreshToken', redirectUri: CALLBACK });
      hold({ tokens });
    });
  await forgetGrants(databaseUrl);
  await fill(few);
  const copied = (name: string): Promise<Twin> =>
    step('start a second auth on a copy of that', async () => {
      const [copy = ''] = await copyDatabase(stack, 'auth', [name]);
      return startTwin(stack, 'auth', copy);
    });
  const fewTokens = await copied('bench_few_tokens');
  await fill(many);
  const introspect = (n: number): LoadRequest => {
    const sampled = token(1 + ((n * 7_919) % (few / 2)));
    return post('/api/oauth/introspect', { token: sampled, client_id: id, client_secret: secret });
  };
  const rotating = (): Rotation => {
    let [family, count] = ['', 0];
    return async (origin) => {
      if (count % OF_A_FAMILY === 0) family = oneTime('RefreshToken', 1 + count / OF_A_FAMILY);
      family = await refresh(origin, family);
      count += 1;
      return family;
    };
  };
  const growth = (other: Twin, request: (origin: string, n: number) => Promise<unknown>): Promise<number> =>
    ratioOfMedians(times, [(n) => request(service.internalUrl, n), (n) => request(other.origin, n)]);
  const introspected = async (origin: string, n: number): Promise<unknown> =>
    bodyOf(200, await exchange(origin, introspect(n)));
  const introspection = await step('introspect at both in turn', () => growth(fewTokens, introspected));
  const [ofMany, ofFew] = [rotating(), rotating()];
  const refreshing = await step('refresh at both in turn', () =>
    growth(fewTokens, (origin) => (origin === fewTokens.origin ? ofFew : ofMany)(origin)),
  );
  await fewTokens.stop();

  await forgetGrants(databaseUrl);
  await fill(few);
  const oneSite = await copied('bench_one_site');
  await step(`load ${sites} sites`, () => fillSites(databaseUrl, site, sites));
  await stack.restart('auth');
  const come = async (n: number): Promise<void> => {
    const at = hostOf(n);
    bodyOf(200, await send(get('/.well-known/oauth-authorization-server', at, n)));
    await refresh(service.internalUrl, refreshTokenOf(n), CLIENT_ID, at);
    bodyOf(303, await send(get(authorization(at), at, n)));
  };
  const memory = await step('come to every site', async () => {
    let next = 1;
    const visitor = async (): Promise<void> => {
      while (next <= sites) await come(next++);
    };
    await Promise.all(Array.from({ length: ABREAST }, visitor));
    return residentMemory(stack.services.find(({ name }) => name === 'auth')!.pid!) ?? NaN;
  });
  const spreadOut = await step('introspect at both in turn', async () => {
    // V8 compiles a request's code in the first 10,000, and the visits introspected nothing.
    for (let n = 0; n < sites; n++)
      for (const origin of [oneSite.origin, service.internalUrl]) await introspected(origin, n);
    return growth(oneSite, introspected);
  });
  await oneSite.stop();
  hold({ sites });
  const [of, to] = [many, few].map((tokens) => `${tokens.toLocaleString('en')} tokens`);
  return [
    {
      suite: 'scale',
      title: `p50 of introspection, ${of} ÷ ${to}`,
      unit: '×',
      goal: 1.2,
      measure: () => Promise.resolve(introspection),
    },
    {
      suite: 'scale',
      title: `p50 of refresh, ${of} ÷ ${to}`,
      unit: '×',
      goal: 1.2,
      measure: () => Promise.resolve(refreshing),
    },
    {
      suite: 'scale',
      title: `memory of auth after metadata, token and authorization at ${sites.toLocaleString('en')} sites`,
      unit: 'MB',
      goal: 300,
      measure: () => Promise.resolve(memory / 1024 ** 2),
    },
    {
      suite: 'scale',
      title: `p50 of introspection, ${sites.toLocaleString('en')} sites ÷ 1 site`,
      unit: '×',
      goal: 1.1,
      measure: () => Promise.resolve(spreadOut),
    },
  ];
};

/** @param visitor each has a source of its own: one source may authorize 1,200 times a minute */
function get(path: string, host: string, visitor: number): LoadRequest {
  return { method: 'GET', path, headers: { ...fromSource(visitor), host } };
}

function authorization(host: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: CALLBACK,
    scope: 'account:read',
    state: 'a-state',
    resource: `https://${host}`,
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `/oauth/authorize?${query.toString()}`;
}

/** The members of a JSON response. */
function bodyOf(status: number, response: ApiResponse): Record<string, unknown> {
  if (response.status !== status)
    throw new Error(`${response.status} instead of ${status}: ${response.body.slice(0, 500)}`);
  return response.body.startsWith('{') ? (JSON.parse(response.body) as Record<string, unknown>) : {};
}
