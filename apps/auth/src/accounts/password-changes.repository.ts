import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';

/** Seconds after which a change without a response has failed, and another one may be made. */
export const ABANDONED = 10;

const BEGIN = {
  name: 'password_change_begin',
  text: `
    insert into password_changes as p (site_id, token_hash, session_uid, expires_at)
    values ($1, $2, $3, now() + make_interval(secs => $4))
    on conflict (site_id, token_hash) do update
       set begun_at = now(), sealed_response = null, expires_at = excluded.expires_at
     where p.expires_at < now() or (p.sealed_response is null and p.begun_at < now() - make_interval(secs => $5))
    returning 1 as begun`,
};
const RELEASE = {
  name: 'password_change_release',
  text: 'delete from password_changes where site_id = $1 and token_hash = $2',
};
const SAVE = {
  name: 'password_change_save',
  text: `update password_changes set sealed_response = $3, expires_at = now() + make_interval(secs => $4)
          where site_id = $1 and token_hash = $2`,
};
const FIND = {
  name: 'password_change_find',
  text: `select session_uid, sealed_response from password_changes
          where site_id = $1 and token_hash = $2 and expires_at > now()`,
};

export interface PasswordChange {
  readonly session_uid: string;
  /** Null until the change is made. */
  readonly sealed_response: Buffer | null;
}

/** The changes of passwords by the token of their form, and the responses that followed. */
@Injectable()
export class PasswordChangesRepository {
  constructor(private readonly sql: Sql) {}

  /** True for the first submission of the form. */
  async begin(siteId: string, token: string, sessionUid: string): Promise<boolean> {
    const values = [siteId, sha256(token), sessionUid, LIFETIMES.repeatedDecision, ABANDONED];
    return (await this.sql.query(BEGIN, values)).length === 1;
  }

  /** Allows another submission. */
  async release(siteId: string, token: string): Promise<void> {
    await this.sql.query(RELEASE, [siteId, sha256(token)]);
  }

  async save(siteId: string, token: string, sealed: Buffer): Promise<void> {
    await this.sql.query(SAVE, [siteId, sha256(token), sealed, LIFETIMES.repeatedDecision]);
  }

  async find(siteId: string, token: string): Promise<PasswordChange | undefined> {
    return (await this.sql.query<PasswordChange>(FIND, [siteId, sha256(token)]))[0];
  }
}
