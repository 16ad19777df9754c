import { Authenticator } from '@lyceum/testing';
import type { CeremonyOptions, Page } from '@lyceum/testing';
import { PASSWORD } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

export const PASSKEYS = '/account/passkeys';

/** The passkey options of a page. */
export function optionsOf({ body, url }: Page): CeremonyOptions & Record<string, unknown> {
  const text = /data-passkey="([^"]*)"/.exec(body)?.[1];
  if (text === undefined) throw new Error(`Nothing is asked of the browser at ${url.href}`);
  return JSON.parse(text.replaceAll('&quot;', '"')) as CeremonyOptions & Record<string, unknown>;
}

/** The page without its variable parts. */
export const shown = ({ status, body }: Page): string =>
  `${status} ${body.replaceAll(/(value|action|data-passkey|data-initial)="[^"]*"/g, '')}`;

/** A browser that is signed in at the account by password. */
export async function signedIn(auth: TestAuth, name: string, site = auth.site): Promise<Flow> {
  const flow = new Flow(auth, site);
  const page = await flow.signIn(await flow.browser.open('/account'), name);
  if (page.url.pathname !== '/account') throw new Error(`${name} is not signed in: ${page.status}`);
  return flow;
}

/** The page on which the browser creates a passkey. */
export async function creationPage(flow: Flow, password = PASSWORD): Promise<Page> {
  return flow.submit(await flow.browser.open(PASSKEYS), 'current', { current: password });
}

/** A new passkey of a person at a site, in a signed-in browser. */
export async function withPasskey(
  auth: TestAuth,
  name: string,
  { site = auth.site, authenticator = new Authenticator(site.base_url) } = {},
): Promise<{ flow: Flow; authenticator: Authenticator; page: Page }> {
  const flow = await signedIn(auth, name, site);
  const page = await creationPage(flow);
  const credential = authenticator.create(optionsOf(page));
  return { flow, authenticator, page: await flow.submit(page, 'credential', { credential, name: 'Phone' }) };
}

/** A sign-in page in a new browser. */
export async function signInPage(
  auth: TestAuth,
  site = auth.site,
): Promise<{ flow: Flow; page: Page; options: CeremonyOptions }> {
  const flow = new Flow(auth, site);
  const page = await flow.browser.open('/account/sign-in');
  return { flow, page, options: optionsOf(page) };
}

export const sendCredential = (flow: Flow, page: Page, credential: string): Promise<Page> =>
  flow.submit(page, 'credential', { credential });
