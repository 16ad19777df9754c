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

/** The same in a browser that may be signed in already. */
export async function approveIn(browser: BrowserSession, address: string | URL, person: Credentials): Promise<URL> {
  const { origin } = browser;
  let page = await browser.open(address);
  // Sign-in and consent, and one page that is shown again.
  for (let pages = 0; pages < 3 && page.url.origin === origin; pages++) {
    if (formWith(page, 'password') !== undefined) {
      page = await browser.submit(page, 'password', { email: person.email, password: person.password });
    } else if (formWith(page, 'decision') !== undefined) {
      page = await browser.submit(page, 'decision', { decision: 'approve' });
    } else {
      throw new Error(`Neither a sign-in nor a consent page, but ${described(page)}`);
    }
  }
  if (page.url.origin === origin) throw new Error(`The sign-in of ${person.email} stays at ${described(page)}`);
  return page.url;
}

function described(page: Page): string {
  const text = page.body
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${page.status} ${page.url.pathname}: ${text.slice(0, 300)}`;
}
