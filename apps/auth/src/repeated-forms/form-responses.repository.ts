import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import { LIFETIMES } from '#src/protocol/lifetimes.js';

/** Seconds after which a form without a response has failed, and is processed again. */
export const ABANDONED = 10;

/** The table has the name of its first form. `session_uid` was for that one, and is unused. */
const BEGIN = {
  name: 'form_begin',
  text: `
    insert into password_changes as p (site_id, token_hash, session_uid, expires_at)
    values ($1, $2, '', now() + make_interval(secs => $3))
    on conflict (site_id, token_hash) do update
       set begun_at = now(), sealed_response = null, expires_at = excluded.expires_at
     where p.expires_at < now() or (p.sealed_response is null and p.begun_at < now() - make_interval(secs => $4))
    returning 1 as begun`,
};
const RELEASE = {
  name: 'form_release',
  text: 'delete from password_changes where site_id = $1 and token_hash = $2',
};
const SAVE = {
  name: 'form_save',
  text: `update password_changes set sealed_response = $3, expires_at = now() + make_interval(secs => $4)
          where site_id = $1 and token_hash = $2`,
};
const FIND = {
  name: 'form_find',
  text: `select sealed_response from password_changes where site_id = $1 and token_hash = $2 and expires_at > now()`,
};

export interface SubmittedForm {
  /** Null until the form is processed. */
  readonly sealed_response: Buffer | null;
}

/** The responses to forms, by the digest of what the browser sent. */
@Injectable()
export class FormResponsesRepository {
  constructor(private readonly sql: Sql) {}

  /** True for the first submission. */
  async begin(siteId: string, digest: Buffer): Promise<boolean> {
    const values = [siteId, digest, LIFETIMES.repeatedDecision, ABANDONED];
    return (await this.sql.query(BEGIN, values)).length === 1;
  }

  /** Allows another submission. */
  async release(siteId: string, digest: Buffer): Promise<void> {
    await this.sql.query(RELEASE, [siteId, digest]);
  }

  async save(siteId: string, digest: Buffer, sealed: Buffer): Promise<void> {
    await this.sql.query(SAVE, [siteId, digest, sealed, LIFETIMES.repeatedDecision]);
  }

  async find(siteId: string, digest: Buffer): Promise<SubmittedForm | undefined> {
    return (await this.sql.query<SubmittedForm>(FIND, [siteId, digest]))[0];
  }
}
