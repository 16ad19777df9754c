import { Injectable } from '@nestjs/common';
import { Sql, decrypt, encrypt } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { AuthSettings } from '#src/auth.environment.js';
import { CLIENT_COLUMNS, clientAtSite } from '#src/clients/client-at-site.js';
import type { OAuthClient } from '#src/clients/client.js';
import { rows } from '#src/database/rows.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';

/** One form that a page showed. */
export interface Submission {
  readonly site_id: string;
  readonly session_uid: string;
  readonly token: string;
}

export interface CreatedClient {
  readonly client_id: string;
  readonly client_secret: string | undefined;
}

/** Seconds. The first of two submissions may show the secret to a response that the browser drops. */
const DOUBLE_CLICK = 5;

const TAKE_SECRET = {
  name: 'submission_take_secret',
  text: `
    with taken as (
      update form_submissions
         set shown_at = now(), expires_at = least(expires_at, now() + interval '1 minute')
       where client_id = $1 and site_id = $2 and session_uid = $3 and sealed_secret is not null
         and shown_at is null and expires_at > now()
      returning sealed_secret)
    select client.*, (select sealed_secret from taken limit 1) as sealed_secret
      from (${clientAtSite(CLIENT_COLUMNS)}) client where client.source = 'site'`,
};

const context = (siteId: string, clientId: string): string => `client-secret:${siteId}:${clientId}`;

/** The applications that forms created. A form creates one, although a double click sends it twice. */
@Injectable()
export class SubmissionsRepository {
  constructor(
    private readonly sql: Sql,
    private readonly settings: AuthSettings,
  ) {}

  /**
   * The application that the form created before. Waits for a concurrent submission of the form. Undefined reserves the
   * form until the transaction ends.
   */
  async begin(manager: EntityManager, submission: Submission): Promise<string | undefined> {
    const reserved = await rows(
      manager,
      `insert into form_submissions (site_id, session_uid, token_hash, client_id, expires_at)
       values ($1, $2, $3, '', now() + make_interval(secs => $4)) on conflict do nothing returning 1 as reserved`,
      [...key(submission), LIFETIMES.formSubmission],
    );
    if (reserved.length === 1) return undefined;
    const [earlier] = await rows<{ client_id: string }>(
      manager,
      `update form_submissions
          set shown_at = case when shown_at > now() - make_interval(secs => $4) then null else shown_at end
        where site_id = $1 and session_uid = $2 and token_hash = $3 returning client_id`,
      [...key(submission), DOUBLE_CLICK],
    );
    return earlier?.client_id;
  }

  async finish(
    manager: EntityManager,
    submission: Submission,
    { client_id, client_secret }: CreatedClient,
  ): Promise<void> {
    const sealed =
      client_secret === undefined
        ? null
        : encrypt(this.settings.values.KEY_ENCRYPTION_KEY, context(submission.site_id, client_id), client_secret);
    // A rotation replaces a secret that no page has shown yet.
    await manager.query('update form_submissions set sealed_secret = null where site_id = $1 and client_id = $2', [
      submission.site_id,
      client_id,
    ]);
    await manager.query(
      `update form_submissions set client_id = $4, sealed_secret = $5
        where site_id = $1 and session_uid = $2 and token_hash = $3`,
      [...key(submission), client_id, sealed],
    );
  }

  /**
   * An application that the site created, with the secret that this session created or rotated. The secret is undefined
   * after its first page.
   */
  async takeSecret(
    siteId: string,
    sessionUid: string,
    clientId: string,
  ): Promise<{ readonly client: OAuthClient; readonly secret: string | undefined } | undefined> {
    const values = [clientId, siteId, sessionUid];
    const [row] = await this.sql.query<OAuthClient & { sealed_secret: Buffer | null }>(TAKE_SECRET, values);
    if (row === undefined) return undefined;
    const { sealed_secret, ...client } = row;
    if (sealed_secret === null) return { client, secret: undefined };
    const secret = decrypt(this.settings.values.KEY_ENCRYPTION_KEY, context(siteId, clientId), sealed_secret);
    return { client, secret };
  }
}

const key = ({ site_id, session_uid, token }: Submission): unknown[] => [site_id, session_uid, sha256(token)];
