import { BrowserSession, postForms, type Page, type SessionOptions } from './browser-session.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * What a person does with a browser that an application opened: signs in where that is asked, and approves. The address
 * at which the application gets the answer, a code or an error; it is not opened.
 */
export async function approve(
  address: string | URL,
  person: Credentials,
  connection: SessionOptions = { origin: new URL(address).origin },
): Promise<URL> {
  const browser = new BrowserSession(connection);
  let page = await browser.open(address);
  // Sign-in and consent; one more for a page that shows itself again.
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
