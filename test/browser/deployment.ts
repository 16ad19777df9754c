import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserSession, eventually } from '@lyceum/testing';
import { AUTH_ENVIRONMENT, sql } from '../discovery/walker.js';
import { command } from '../stack/auth-command.js';
import type { SystemSite } from '../stack/system-stack.js';
import type { Credentials } from './sign-in.js';

export const PASSWORD = 'correct-horse-battery';

/** A new e-mail address, so that tests do not share a person. */
export const newAddress = (): string => `walker-${randomBytes(6).toString('hex')}@school.example`;

/** The first mailed link after the words. */
export async function mailedLink(email: string, words: string): Promise<string> {
  const folder = AUTH_ENVIRONMENT['MAIL_DIRECTORY']!;
  const links = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .filter((mail) => mail.includes(`To: ${email}`))
      .flatMap((mail) => new RegExp(`${words}: (http\\S+)`).exec(mail)?.[1] ?? []);
  const found = await eventually(
    async () => links(),
    (some) => some.length > 0,
  );
  return found[0]!;
}

/** Invites a new person to the site. Returns the person and the link of the invitation. */
export async function invited(
  site: Pick<SystemSite, 'base_url'>,
  role: string,
): Promise<{ email: string; link: string }> {
  const email = newAddress();
  const person = ['--email', email, '--name', 'Zoë Walker', '--role', role];
  const { link } = await command('person', 'invite', '--site', site.base_url, ...person);
  return { email, link: String(link) };
}

/** A new person of the site who has accepted the invitation. */
export async function newPerson(site: Pick<SystemSite, 'base_url'>, role: string): Promise<Credentials> {
  const { email, link } = await invited(site, role);
  const browser = new BrowserSession({ origin: site.base_url });
  const { url, status, body } = await browser.submit(await browser.open(link), 'password', { password: PASSWORD });
  if (!body.includes('Your password is set')) throw new Error(`${url.pathname} returned ${status}: ${body}`);
  return { email, password: PASSWORD };
}

/** An unreviewed document client whose host the site allows. */
export async function documentClient(site: SystemSite, name: string): Promise<string> {
  const host = `${randomBytes(6).toString('hex')}.example.com`;
  await command('cimd', 'allow', '--site', site.base_url, '--host', host);
  const client_id = `https://${host}/client.json`;
  await sql(
    `WITH made AS (
       INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review)
       VALUES ($1, $2, $3, 'operator', 'document', '{http://127.0.0.1:7777/callback}', '{openid,profile,courses:read}', 'unreviewed')
       RETURNING client_key)
     INSERT INTO client_documents (client_key, expires_at) SELECT client_key, now() + interval '1 day' FROM made`,
    client_id,
    site.site_id,
    name,
  );
  return client_id;
}
