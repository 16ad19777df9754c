import { randomBytes } from 'node:crypto';
import { send } from '../clients/http.js';
import { sql } from '../discovery/walker.js';
import { command } from '../stack/auth-command.js';
import type { SystemSite } from '../stack/system-stack.js';
import { documentClient, invited, newPerson } from './deployment.js';
import type { Credentials } from './sign-in.js';

/** Data that the pages show, created once. */
export interface Scene {
  readonly site: SystemSite;
  readonly owner: Credentials;
  readonly student: Credentials;
  readonly invitation: string;
  /** A password-reset link of a person who has a passkey. */
  readonly reset: string;
  /** The links of a change of the student's email address. */
  readonly emailLinks: Readonly<Record<'approval' | 'confirmation', string>>;
  readonly documentClient: string;
  readonly registeredClient: string;
}

export async function scene(site: SystemSite): Promise<Scene> {
  // Both have a command, and this is one process less for each.
  await sql(
    `UPDATE sites SET settings = settings || '{"sign_up": true, "sign_in_links": true}' WHERE site_id = $1`,
    site.site_id,
  );
  await command('site', 'mcp-connections', '--site', site.base_url);
  const owner = await newPerson(site, 'owner');
  const student = await newPerson(site, 'student');
  const { link } = await invited(site, 'student');
  await sql(
    `INSERT INTO passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up, transports)
     SELECT $1, person_id, 'Phone', uuid_send(uuidv7()), '', 0, false, false, '{}' FROM people WHERE email = $2`,
    site.site_id,
    student.email,
  );
  const reset = await command('person', 'reset-password', '--site', site.base_url, '--email', student.email);
  const registered = await send<{ client_id: string }>(`${site.base_url}/api/oauth/register`, {
    json: { client_name: 'A tool on a laptop', redirect_uris: ['http://127.0.0.1:7777/callback'] },
  });
  // Fills more than one page of the audit log.
  await sql(
    `INSERT INTO audit_log (event, site_id, client_id, details)
     SELECT 'sign_in.failed', $1, 'a-client', jsonb_build_object('n', n) FROM generate_series(1, 60) n`,
    site.site_id,
  );
  return {
    site,
    owner,
    student,
    invitation: link,
    reset: String(reset['link']),
    emailLinks: await emailLinks(site, student),
    documentClient: await documentClient(site, 'A reader of courses'),
    registeredClient: registered.body.client_id,
  };
}

/** Requests a change of the address with known tokens, as the page does. */
async function emailLinks({ base_url, site_id }: SystemSite, { email }: Credentials): Promise<Scene['emailLinks']> {
  const [approval, confirmation] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  await sql(
    `insert into email_changes (person_id, site_id, new_email, approve_hash, confirm_hash, sign_outs, expires_at)
     select person_id, $1, 'new-' || email, sha256($3::text::bytea), sha256($4::text::bytea), sign_outs,
            now() + interval '1 day'
       from people where email = $2`,
    site_id,
    email,
    approval,
    confirmation,
  );
  const linkOf = (token: string): string => `${base_url}/account/email/link?token=${token}`;
  return { approval: linkOf(approval), confirmation: linkOf(confirmation) };
}
