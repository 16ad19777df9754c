import { BrowserSession, OAuthClient, send } from '@lyceum/testing';
import { quantile } from './ratio.ts';
import type { Round } from './round.ts';
import { fromSource } from './sources.ts';

/** Whole sign-ins of people with a session: authorization request, consent page, decision, code, token. */
export interface SignIns {
  /** The public origin. */
  readonly base: string;
  readonly authorizePath: string;
  readonly tokenPath: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** RFC 8707, for a server that knows it. */
  readonly resource?: string;
  /** The cookies of each browser. A sign-in gives the session a new identifier, so a round leaves others. */
  readonly sessions: string[];
}

const VERIFIER = 'a-verifier-of-the-bench-that-all-sign-ins-share';
/** Shows the consent page each time. */
const CONSENT = { prompt: 'consent' };

/** The application, in a browser. */
function clientOf(
  browser: BrowserSession,
  { authorizePath, clientId, redirectUri, scope, resource }: SignIns,
): OAuthClient {
  return new OAuthClient({
    browser,
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    resource: resource ?? null,
    state: 'a-state',
    verifier: VERIFIER,
    authorizePath,
  });
}

/** The address of an authorization request. */
export function authorizationOf(signIns: SignIns): string {
  return clientOf(new BrowserSession({ origin: signIns.base }), signIns).authorization(CONSENT);
}

/** A browser with a session, at an address of its own. */
interface Browser {
  readonly session: BrowserSession;
  readonly via: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The browser with session number n. */
export function browserOf(via: string, { base, sessions }: SignIns, n: number): Browser {
  const headers = fromSource(n);
  const session = new BrowserSession({ origin: base, via, headers });
  for (const cookie of sessions[n]!.split('; ')) session.keep(cookie);
  return { session, via, headers };
}

/** The cookies with which the next sign-in begins. */
export function cookiesOf({ session }: Browser, { authorizePath }: SignIns): string {
  return session.cookiesFor(authorizePath);
}

/**
 * Signs in at an application. Returns the response of the token endpoint.
 *
 * @throws Error for each unexpected response
 */
export async function signIn(browser: Browser, signIns: SignIns): Promise<Record<string, unknown>> {
  const { base, tokenPath } = signIns;
  const { session, via, headers } = browser;
  const client = clientOf(session, signIns);
  const consent = await session.open(client.authorization(CONSENT));
  const { url } = await session.submit(consent, 'decision', { decision: 'approve' });
  const code = client.codeIn(url.searchParams);
  const { status, body, text } = await send<Record<string, unknown>>(
    via,
    'POST',
    tokenPath,
    { ...headers, host: new URL(base).host, 'content-type': 'application/x-www-form-urlencoded' },
    client.exchangeForm(code).toString(),
  );
  if (status !== 200 || typeof body['access_token'] !== 'string')
    throw new Error(`No token, but ${status}: ${text.slice(0, 500)}`);
  return body;
}

/** Each connection begins the next sign-in after each token. */
export async function runSignIns(via: string, signIns: SignIns, connections: number, seconds: number): Promise<Round> {
  if (connections > signIns.sessions.length) throw new Error(`There are ${signIns.sessions.length} browsers`);
  const began = performance.now();
  const until = began + seconds * 1_000;
  const durations: number[] = [];
  const faults: string[] = [];
  const browsers = signIns.sessions.map((_session, n) => browserOf(via, signIns, n));
  // Each connection has browsers that no other one uses.
  const connection = async (first: number): Promise<void> => {
    const mine = browsers.filter((_browser, n) => n % connections === first);
    for (let n = 0; performance.now() < until; n += 1) {
      const from = performance.now();
      try {
        await signIn(mine[n % mine.length]!, signIns);
        durations.push(performance.now() - from);
      } catch (error) {
        faults.push((error as Error).message);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, first) => connection(first)));
  const elapsed = (performance.now() - began) / 1_000;
  const sorted = durations.sort((a, b) => a - b);
  const [firstFault] = faults;
  return {
    requests: sorted.length,
    requestsPerSecond: sorted.length / elapsed,
    p50: sorted.length === 0 ? NaN : quantile(sorted, 0.5),
    p99: sorted.length === 0 ? NaN : quantile(sorted, 0.99),
    faults: faults.length,
    sessions: browsers.map((browser) => cookiesOf(browser, signIns)),
    ...(firstFault === undefined ? {} : { firstFault }),
  };
}
