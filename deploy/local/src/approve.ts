import { BrowserSession, postForms, type Page, type SessionOptions } from './browser-session.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Acts as a person in a browser that an application opened: signs in if asked, and approves. Returns the redirect URL
 * with the code or error, without opening it.
 */
export async function approve(
  address: string | URL,
  person: Credentials,
  connection: SessionOptions = { origin: new URL(address).origin },
): Promise<URL> {
  const browser = new BrowserSession(connection);
  let page = await browser.open(address);
  // Sign-in and consent, and one page that is shown again.
  for (let pages = 0; pages < 3; pages++) {
    if (page.url.origin !== connection.origin) break;
    const form = postForms(page.body).find(({ names }) => names.has('password') || names.has('decision'));
    if (!form) throw new Error(`Neither a sign-in nor a consent page, but ${described(page)}`);
    const fields = new URLSearchParams(form.fields);
    if (form.names.has('password')) {
      fields.set('email', person.email);
      fields.set('password', person.password);
    } else {
      fields.set('decision', 'approve');
    }
    page = await browser.open(new URL(form.action, page.url), fields);
  }
  if (page.url.origin === connection.origin)
    throw new Error(`The sign-in of ${person.email} stays at ${described(page)}`);
  return page.url;
}

function described(page: Page): string {
  const text = page.body
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${page.status} ${page.url.pathname}: ${text.slice(0, 300)}`;
}
