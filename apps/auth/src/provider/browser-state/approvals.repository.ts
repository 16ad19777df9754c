import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import { allowedGrant } from '#src/grants/allowed-grant.js';
import type { NewGrant } from '#src/grants/new-grant.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';

interface Approval {
  readonly grant: NewGrant;
  /** The origin that the person approved. */
  readonly resource: string;
  /** The version of the client that the person approved. */
  readonly version: number;
  /** The details of the audit entry. */
  readonly details: object;
  /** The interaction, and its result. */
  readonly uid: string;
  readonly result: object;
}

/**
 * Writes an approval whole or not at all: an interaction that has ended or was decided since keeps nothing. A later
 * approval extends a remembered one while it is valid.
 */
const APPROVE = {
  name: 'interaction_approve',
  text: `
    with allowed as (
      ${allowedGrant('c.client_key, c.client_id, c.audience, p.person_id', { condition: 's.base_url = $9 and c.version = $14' })}
    ), decided as (
      update interactions set payload = payload || jsonb_build_object('result', $13::jsonb)
        from allowed where interaction_hash = $12 and site_id = $2 and ended_at is null and not payload ? 'result'
      returning interaction_hash
    ), remembered as (
      insert into consents as k (person_id, client_key, site_id, resource, scopes, expires_at)
      select person_id, client_key, $2, $9, $8, now() + make_interval(secs => $10) from allowed, decided
      on conflict (person_id, client_key, site_id, resource) do update
         set scopes = case when k.expires_at > now()
               then array(select distinct unnest(k.scopes || excluded.scopes)) else excluded.scopes end,
             granted_at = now(), expires_at = excluded.expires_at
      returning client_key
    ), granted as (
      insert into grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, expires_at)
      select $1, $2, person_id, client_key, client_id, audience, $5, to_timestamp($6)
        from allowed join remembered using (client_key)
      returning grant_id, person_id, client_id
    ), audited as (
      insert into audit_log (event, site_id, person_id, client_id, details)
      select 'consent.given', $2, person_id, client_id, $11::jsonb from granted
    )
    select grant_id from granted`,
};

/** Approvals of people who look at the page of an interaction. */
@Injectable()
export class ApprovalsRepository {
  constructor(private readonly sql: Sql) {}

  /** False when interaction, site or client are gone, the client was changed, or the person's grants have ended. */
  async approve({ grant, resource, version, details, uid, result }: Approval): Promise<boolean> {
    const written = await this.sql.query(APPROVE, [
      grant.grant_id,
      grant.site_id,
      grant.person_id,
      grant.client_id,
      JSON.stringify(grant.payload),
      grant.expires_at,
      grant.sign_outs,
      grant.scopes,
      resource,
      LIFETIMES.consent,
      JSON.stringify(details),
      sha256(uid),
      JSON.stringify(result),
      version,
    ]);
    return written.length === 1;
  }
}
