import type { AdapterPayload } from 'oidc-provider';
import type { Statement } from '@lyceum/platform';
import { CLIENT_COLUMNS, clientAtSite } from '#src/clients/client-at-site.js';
import type { OAuthClient } from '#src/clients/client.js';
import { rememberedScopes } from '#src/consents/remembered-scopes.js';
import { isPresent } from '#src/database/present-member.js';
import { isLive } from '#src/grants/live-grant.js';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import { memberAtSite } from '#src/people/member-at-site.js';
import type { Approver } from './approver.js';

/** Seconds after which a decision without a result has failed, and another one may be made. */
const ABANDONED = 10;

/** Interaction i with digest $1 at site $2. */
const OF_ID = 'i.interaction_hash = $1 AND i.site_id = $2';
const IS_OPEN = 'i.ended_at IS NULL AND i.expires_at > now()';
/** Client c of interaction i. */
const CLIENT = clientAtSite(CLIENT_COLUMNS, { clientId: `i.payload #>> '{params,client_id}'`, siteId: 'i.site_id' });
/** Session s of interaction i. The engine would read the interaction, its session and its client one by one. */
const OPEN = `
      FROM interactions i
      LEFT JOIN sessions s ON s.uid = i.payload #>> '{session,uid}' AND s.site_id = i.site_id AND s.expires_at > now()
      LEFT JOIN LATERAL (${CLIENT}) c ON true`;
const OPENED = `i.payload, s.payload ->> 'accountId' AS session_person, c.*`;
/** Session s with digest $3 at site $2, and its member m. The engine asks for the person of each session it reads. */
const SESSION = `
      LEFT JOIN sessions s ON s.session_hash = $3 AND s.site_id = $2 AND s.expires_at > now()
      LEFT JOIN LATERAL (${memberAtSite('s.person_id', 's.site_id')}) m ON true`;
const APPROVED = rememberedScopes({
  personId: 'm.person_id',
  clientKey: 'c.client_key',
  siteId: 'i.site_id',
  resource: '$3',
});

export const INTERACTION_OPEN: Statement = {
  name: 'interaction_open',
  text: `SELECT ${OPENED} ${OPEN} WHERE ${OF_ID} AND ${IS_OPEN}`,
};

/** With the person of the session, and the scopes that the person approved for the client and the resource $3. */
export const INTERACTION_PAGE: Statement = {
  name: 'interaction_page',
  text: `
    SELECT ${OPENED}, to_json(m) AS member, coalesce((${APPROVED}), '{}') AS approved ${OPEN}
      LEFT JOIN LATERAL (${memberAtSite('s.person_id', 'i.site_id')}) m ON true
     WHERE ${OF_ID} AND ${IS_OPEN}`,
};

/** Opens and claims an interaction, and reads the person of its session, who decides. */
export const INTERACTION_CLAIM: Statement = {
  name: 'interaction_claim',
  text: `
    WITH claimed AS (
      UPDATE interactions SET decided_at = now()
       WHERE interaction_hash = $1 AND site_id = $2 AND ended_at IS NULL AND expires_at > now()
         AND NOT payload ? 'result'
         AND (decided_at IS NULL OR decided_at < now() - make_interval(secs => ${ABANDONED}))
      RETURNING 1
    )
    SELECT ${OPENED},
           (SELECT to_json(who) FROM (
              SELECT p.person_id, p.sign_outs, m.roles
                FROM people p JOIN site_members m ON m.person_id = p.person_id AND m.site_id = s.site_id AND ${isPresent('m')}
               WHERE p.person_id = s.person_id AND p.state = 'active') who) AS approver
      ${OPEN}
     WHERE ${OF_ID} AND ${IS_OPEN} AND EXISTS (SELECT FROM claimed)`,
};

/** With its client and its new grant, which the engine asks for when it continues. */
const RESUMED = `
      LEFT JOIN grants g ON g.grant_id = i.payload #>> '{result,consent,grantId}' AND g.site_id = i.site_id AND ${isLive('g')}
      LEFT JOIN LATERAL (${CLIENT}) c ON true`;

export const INTERACTION_RESUMED: Statement = {
  name: 'interaction_resumed',
  text: `SELECT i.payload, g.payload AS grant, c.* FROM interactions i ${RESUMED} WHERE ${OF_ID} AND ${IS_OPEN}`,
};

/** The same, with the session of the browser. */
export const INTERACTION_RESUMED_BY_SESSION: Statement = {
  name: 'interaction_resumed_by_session',
  text: `
    SELECT i.payload, g.payload AS grant, c.*, s.payload AS session, to_json(m) AS member
      FROM interactions i ${RESUMED} ${SESSION}
     WHERE ${OF_ID} AND ${IS_OPEN}`,
};

/** The client $1 and the session of the browser. */
export const CLIENT_AND_SESSION: Statement = {
  name: 'client_and_session',
  text: `
    SELECT c.*, s.payload AS session, to_json(m) AS member
      FROM (VALUES (1)) AS one
      LEFT JOIN LATERAL (${clientAtSite(CLIENT_COLUMNS)}) c ON true ${SESSION}`,
};

/** An interaction, with what its page needs. */
export interface FoundInteraction {
  readonly payload: AdapterPayload;
  /** The person of its session. Null for an anonymous session, and for one that has ended. */
  readonly session_person: string | null;
  /** Undefined when the site has deleted or blocked it. */
  readonly client: OAuthClient | undefined;
}

/** The person of a consent page. */
export interface Asked {
  /** Undefined when the session has ended, or the person may no longer use the site. */
  readonly member: MemberOfSite | undefined;
  /** The scopes that the person approved before. */
  readonly approved: readonly string[];
}

export type ShownInteraction = FoundInteraction & Asked;

export interface ClaimedInteraction extends FoundInteraction {
  /** Undefined when the session has ended, or the person may no longer use the site. */
  readonly approver: Approver | undefined;
}

export interface ResumedInteraction extends Pick<FoundInteraction, 'payload' | 'client'> {
  /** Null without an approval, and for a grant that was revoked since. */
  readonly grant: AdapterPayload | null;
}

/** A session and its person. Undefined without one, and for a person who may no longer use the site. */
export interface SessionOfMember extends Pick<FoundInteraction, 'payload'> {
  readonly member: MemberOfSite | undefined;
}
