import { isDeepStrictEqual } from 'node:util';
import { BrowserSession, postForms } from '@lyceum/testing';
import type { AppliedSite } from '@lyceum/local';
import type { StockPages } from '../baselines/stock-pages.ts';
import { membersOf } from '../bench-stack.ts';
import { authorizationOf, browserOf, cookiesOf, signIn, type SignIns } from '../sign-ins.ts';
import type { Comparison } from '../suite.ts';
import type { Sides } from './token-exchanges.ts';

/** Browsers, each with the session of another person. */
const BROWSERS = 64;
/** Without `openid`: the two servers sign id_tokens at different steps. */
const SCOPE = 'profile email account:read';

export interface WholeSignIns {
  readonly sides: Sides;
  readonly site: AppliedSite;
  readonly clientId: string;
  readonly redirectUri: string;
}

type Flow = Omit<SignIns, 'sessions'>;

/** Our pages, for the baseline to serve the same bytes. */
export async function signInPages(via: string, flow: Flow, site: AppliedSite): Promise<StockPages> {
  const browser = new BrowserSession({ origin: flow.base, via });
  const first = await browser.open(authorizationOf({ ...flow, sessions: [] }));
  const form = formWith('password', first.body);
  const { email, password } = membersOf(site)[0]!;
  form.fields.set('email', email);
  form.fields.set('password', password);
  const second = await browser.open(new URL(form.action, first.url), form.fields);
  const signInPage = { html: first.body, action: form.action };
  return { signIn: signInPage, consent: { html: second.body, action: formWith('decision', second.body).action } };
}

export function ourFlow({ site, clientId, redirectUri }: Omit<WholeSignIns, 'sides'>): Flow {
  return {
    base: site.base_url,
    authorizePath: '/oauth/authorize',
    tokenPath: '/api/oauth/token',
    clientId,
    redirectUri,
    scope: SCOPE,
    resource: site.base_url,
  };
}

/** Authorize, consent, code and token by people who have signed in. */
export async function signInComparison(given: WholeSignIns): Promise<Comparison> {
  const { sides, site } = given;
  const ours = ourFlow(given);
  const { resource: _resource, ...stock } = { ...ours, authorizePath: '/auth', tokenPath: '/token' };
  const flows = {
    ours: { ...ours, sessions: await sessionsAt(sides.ours.origin, ours, site) },
    baseline: { ...stock, sessions: await sessionsAt(sides.baseline.origin, stock, site) },
  };
  const [mine, theirs] = await Promise.all([
    factsOf(sides.ours.origin, flows.ours),
    factsOf(sides.baseline.origin, flows.baseline),
  ]);
  if (!isDeepStrictEqual(mine, theirs))
    throw new Error(`Different tokens: ${JSON.stringify(mine)} and ${JSON.stringify(theirs)}`);
  const nothing = { requests: [], facts: (body: unknown) => body };
  return {
    suite: 'auth',
    title: 'whole sign-in ÷ stock oidc-provider with the same pages',
    goal: 1,
    ours: { ...sides.ours, ...nothing, signIns: flows.ours },
    baseline: { ...sides.baseline, ...nothing, signIns: flows.baseline },
  };
}

/** The cookies of browsers after the sign-in with a password, a few at a time. */
async function sessionsAt(via: string, flow: Flow, site: AppliedSite): Promise<string[]> {
  const waiting = membersOf(site).slice(0, BROWSERS);
  const sessions: string[] = [];
  const next = async (): Promise<void> => {
    for (let member = waiting.shift(); member; member = waiting.shift()) {
      const browser = new BrowserSession({ origin: flow.base, via });
      const page = await browser.open(authorizationOf({ ...flow, sessions: [] }));
      const form = formWith('password', page.body);
      form.fields.set('email', member.email);
      form.fields.set('password', member.password);
      await browser.open(new URL(form.action, page.url), form.fields);
      sessions.push(browser.cookiesFor(flow.authorizePath));
    }
  };
  await Promise.all([next(), next(), next(), next()]);
  return sessions;
}

async function factsOf(via: string, signIns: SignIns): Promise<unknown> {
  const browser = browserOf(via, signIns, 0);
  const { access_token, refresh_token, token_type, expires_in, scope } = await signIn(browser, signIns);
  signIns.sessions[0] = cookiesOf(browser, signIns);
  return { access_token: typeof access_token, refresh_token: typeof refresh_token, token_type, expires_in, scope };
}

function formWith(name: string, html: string): ReturnType<typeof postForms>[number] {
  const found = postForms(html).find(({ names }) => names.has(name));
  if (found === undefined) throw new Error(`No form with ${name}: ${html.slice(0, 500)}`);
  return found;
}
