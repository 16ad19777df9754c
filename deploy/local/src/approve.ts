import { BrowserSession, formWith, type Page, type SessionOptions } from './browser-session.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Acts as a person in a browser that an application opened: signs in if asked, and approves. Returns the redirect URL
 * with the code or error, without opening it.
 */
export function approve(
  address: string | URL,
  person: Credentials,
  connection: SessionOptions = { origin: new URL(address).origin },
): Promise<URL> {
  return approveIn(new BrowserSession(connection), address, person);
}

/** The same in a browser that may be signed in already. A page that is shown again is an error. */
export async function approveIn(browser: BrowserSession, address: string | URL, person: Credentials): Promise<URL> {
  let page = await browser.open(address);
  if (formWith(page, 'password') !== undefined)
    page = await browser.submit(page, 'password', { email: person.email, password: person.password });
  if (formWith(page, 'decision') !== undefined) page = await browser.submit(page, 'decision', { decision: 'approve' });
  if (page.url.origin === browser.origin) throw new Error(`The sign-in of ${person.email} stays at ${described(page)}`);
  return page.url;
}

function described(page: Page): string {
  const text = page.body
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${page.status} ${page.url.pathname}: ${text.slice(0, 300)}`;
}
