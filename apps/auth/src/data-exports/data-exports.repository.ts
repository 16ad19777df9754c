import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';

export type ExportedRow = Record<string, unknown>;

/** Rows of one section. Older entries of the audit log are left out beyond it. */
export const EXPORT_ROWS = 10_000;

/**
 * The records of auth about a person ($1) at a site ($2), at most $3 of each section. Digests of secrets, and the
 * engine's own state, stay out.
 */
const SECTIONS = {
  account: `
    select email, email_verified, password_hash is not null as has_password, created_at, updated_at
      from people where person_id = $1`,
  membership: `
    select member_id, state, roles, joined_at, name, picture, locale, phone, timezone
      from site_members where person_id = $1 and site_id = $2`,
  pictures: `
    select type, translate(encode(bytes, 'base64'), E'\\n', '') as data, uploaded_at
      from profile_pictures where person_id = $1 and site_id = $2`,
  passkeys: `
    select name, transports, backed_up, created_at, last_used_at
      from passkeys where person_id = $1 and site_id = $2 order by passkey_id`,
  sessions: `
    select user_agent, to_timestamp((payload ->> 'loginTs')::float8) as began_at, expires_at
      from sessions where person_id = $1 and site_id = $2 and expires_at > now() order by expires_at`,
  approvals: `
    select c.name as application, a.resource, a.scopes, a.granted_at, a.expires_at
      from consents a join clients c using (client_key)
     where a.person_id = $1 and a.site_id = $2 order by a.granted_at`,
  connections: `
    select c.name as application, g.created_at as connected_at, g.expires_at
      from grants g join clients c using (client_key)
     where g.person_id = $1 and g.site_id = $2 order by g.created_at`,
  invitations: `
    select purpose, expires_at, used_at from invitations where person_id = $1 and site_id = $2 order by expires_at`,
  email_changes: `
    select new_email, approved_at, confirmed_at, outcome, expires_at
      from email_changes where person_id = $1 and site_id = $2`,
  mails: `
    select kind, coalesce(address, (select email from people where person_id = $1)) as address, due_at, ended_at
      from mails where person_id = $1 and site_id = $2 order by mail_id`,
  school_students: `
    select student_id from school_students where person_id = $1 and site_id = $2 order by student_id`,
  // Entries without a site are those of the account.
  audit_log: `
    select event, occurred_at, client_id, details
      from audit_log where person_id = $1 and (site_id = $2 or site_id is null) order by audit_id desc`,
} as const;

export type AuthSection = keyof typeof SECTIONS;
export const AUTH_SECTIONS = Object.keys(SECTIONS) as readonly AuthSection[];

/** Tables about people that a section reads. */
export const EXPORTED_TABLES = [
  'people',
  'site_members',
  'profile_pictures',
  'passkeys',
  'sessions',
  'consents',
  'grants',
  'invitations',
  'email_changes',
  'mails',
  'school_students',
  'audit_log',
];

@Injectable()
export class DataExportsRepository {
  constructor(private readonly sql: Sql) {}

  section(section: AuthSection, personId: string, siteId: string): Promise<ExportedRow[]> {
    const text = `select * from (${SECTIONS[section]}) s where $2::uuid is not null limit $3`;
    return this.sql.query<ExportedRow>({ name: `export_${section}`, text }, [personId, siteId, EXPORT_ROWS]);
  }
}
