import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import type { AdapterPayload } from 'oidc-provider';
import type { SessionEnd } from '#src/audit/audit-entry.js';
import { CLIENT_COLUMNS, clientAtSite } from '#src/clients/client-at-site.js';
import type { OAuthClient } from '#src/clients/client.js';
import { isPresent } from '#src/database/present-member.js';
import { endingSessions } from '#src/grants/ending-sessions.js';
import type { Authenticated } from '#src/people/authenticated.js';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import { memberAtSite } from '#src/people/member-at-site.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';
import type { ActiveSession } from './active-session.js';

const COLUMNS = 'session_hash, uid, site_id, person_id, payload, expires_at';
/** Characters. Browsers send about 120. */
const USER_AGENT_LENGTH = 400;
const REPLACE = `SET session_hash = excluded.session_hash, person_id = excluded.person_id, payload = excluded.payload,
           expires_at = excluded.expires_at`;
/**
 * Inserts a sign-in, unless all sessions of the person have ended since the password check ($7). Locks the rows of the
 * person and the membership: a transaction that ends sessions changes one of them first, so one of the two waits and
 * then reads the other's result.
 */
const SESSION_BEGIN = {
  name: 'session_begin',
  text: `
    INSERT INTO sessions (${COLUMNS}, user_agent)
    SELECT $1, $2, $3, p.person_id, $5, to_timestamp($6), $8
      FROM people p JOIN site_members m ON m.person_id = p.person_id AND m.site_id = $3 AND ${isPresent('m')}
     WHERE p.person_id = $4 AND p.sign_outs = $7 FOR SHARE
    ON CONFLICT (uid) DO UPDATE ${REPLACE}, user_agent = excluded.user_agent WHERE sessions.site_id = excluded.site_id
    RETURNING uid`,
};
/** Does not write a session that has ended or was renamed since it was read ($7). */
const SAVED_SESSION = `
    UPDATE sessions SET session_hash = $1, payload = $5, expires_at = to_timestamp($6)
     WHERE session_hash = $7 AND uid = $2 AND site_id = $3 AND person_id = $4
    RETURNING uid`;
const SESSION_SAVE = { name: 'session_save', text: SAVED_SESSION };
/** Writes the interaction also when the session has ended: its page then asks for a new sign-in. */
const SESSION_SAVE_WITH_INTERACTION = {
  name: 'session_save_with_interaction',
  text: `
    WITH begun AS (
      INSERT INTO interactions (interaction_hash, site_id, payload, expires_at) VALUES ($8, $3, $9, to_timestamp($10))
    )${SAVED_SESSION}`,
};
/** Replaces an anonymous session only; a session with a sign-in stays. */
const SESSION_SAVE_ANONYMOUS = {
  name: 'session_save_anonymous',
  text: `
    INSERT INTO sessions AS s (${COLUMNS}) VALUES ($1, $2, $3, NULL, $4, to_timestamp($5))
    ON CONFLICT (uid) DO UPDATE ${REPLACE} WHERE s.person_id IS NULL AND s.site_id = excluded.site_id
    RETURNING uid`,
};
const SESSION_FIND = {
  name: 'session_find',
  text: 'SELECT payload FROM sessions WHERE session_hash = $1 AND site_id = $2 AND expires_at > now()',
};
/** The engine asks for the person of each session that it reads. */
const SESSION_OF_MEMBER = {
  name: 'session_of_member',
  text: `
    SELECT s.payload, m.*
      FROM sessions s LEFT JOIN LATERAL (${memberAtSite('s.person_id', 's.site_id')}) m ON true
     WHERE s.session_hash = $1 AND s.site_id = $2 AND s.expires_at > now()`,
};
const SIGNED_IN = {
  name: 'session_signed_in',
  text: `
    SELECT s.person_id, p.sign_outs FROM sessions s JOIN people p USING (person_id)
     WHERE s.uid = $1 AND s.site_id = $2 AND s.expires_at > now()`,
};
/**
 * Without `usedTs` the expiry shows the last use: none, or one by an older release. $3 is the lifetime, $4 sorts first.
 * The same statement records that the session $4 is in use, once an hour.
 */
const SESSIONS_OF_PERSON = {
  name: 'sessions_of_person',
  text: `
    WITH used AS (
      UPDATE sessions SET payload = payload || jsonb_build_object('usedTs', floor(extract(epoch FROM now()))::bigint)
       WHERE uid = $4 AND site_id = $2 AND person_id = $1
         AND coalesce(payload ->> 'usedTs', payload ->> 'loginTs')::float8 < extract(epoch FROM now()) - 3600
    )
    SELECT uid, user_agent, to_timestamp((payload ->> 'loginTs')::float8) AS began_at,
           coalesce(to_timestamp((payload ->> 'usedTs')::float8), expires_at - make_interval(secs => $3)) AS used_at
      FROM sessions WHERE person_id = $1 AND site_id = $2 AND expires_at > now()
     ORDER BY uid = $4 DESC, expires_at DESC LIMIT $5`,
};
const SESSION_END = {
  name: 'session_end',
  text: endingSessions('uid = $2 AND site_id = $3 AND person_id = $4'),
};
const INTERACTION_UPSERT = {
  name: 'interaction_upsert',
  text: `
    INSERT INTO interactions (interaction_hash, site_id, payload, expires_at) VALUES ($1, $2, $3, to_timestamp($4))
    ON CONFLICT (interaction_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at
     WHERE interactions.ended_at IS NULL`,
};
/** The row stays until it expires: a repeated decision gets the response of the first. */
const INTERACTION_DESTROY = {
  name: 'interaction_destroy',
  text: `
    UPDATE interactions SET ended_at = now() WHERE interaction_hash = $1 AND site_id = $2 AND ended_at IS NULL
    RETURNING 1 AS gone`,
};

const CLIENT_OF_INTERACTION = clientAtSite(CLIENT_COLUMNS, {
  clientId: `i.payload #>> '{params,client_id}'`,
  siteId: 'i.site_id',
});
/** The engine would read the interaction, its session and its client one by one. */
const INTERACTION_OPEN = {
  name: 'interaction_open',
  text: `
    SELECT i.payload, s.payload ->> 'accountId' AS session_person, c.*
      FROM interactions i
      LEFT JOIN sessions s ON s.uid = i.payload #>> '{session,uid}' AND s.site_id = i.site_id AND s.expires_at > now()
      LEFT JOIN LATERAL (${CLIENT_OF_INTERACTION}) c ON true
     WHERE i.interaction_hash = $1 AND i.site_id = $2 AND i.ended_at IS NULL AND i.expires_at > now()`,
};

/** With its client and its new grant, which the engine asks for when it continues. */
const INTERACTION_RESUMED = {
  name: 'interaction_resumed',
  text: `
    SELECT i.payload, g.payload AS grant, c.*
      FROM interactions i
      LEFT JOIN grants g ON g.grant_id = i.payload #>> '{result,consent,grantId}' AND g.site_id = i.site_id
      LEFT JOIN LATERAL (${CLIENT_OF_INTERACTION}) c ON true
     WHERE i.interaction_hash = $1 AND i.site_id = $2 AND i.ended_at IS NULL AND i.expires_at > now()`,
};

/** An interaction, with what its page needs. */
interface FoundInteraction {
  readonly payload: AdapterPayload;
  /** The person of its session. Null for an anonymous session, and for one that has ended. */
  readonly session_person: string | null;
  /** Undefined when the site has deleted or blocked it. */
  readonly client: OAuthClient | undefined;
}

interface ResumedInteraction extends Pick<FoundInteraction, 'payload' | 'client'> {
  /** Null without an approval, and for a grant that was revoked since. */
  readonly grant: AdapterPayload | null;
}

type WithClient<Row> = Omit<Row, 'client'> & (OAuthClient | { readonly client_key: null });
type WithMember = Pick<FoundInteraction, 'payload'> & (MemberOfSite | { readonly person_id: null });

/** A session and its person. Undefined without one, and for a person who may no longer use the site. */
interface SessionOfMember extends Pick<FoundInteraction, 'payload'> {
  readonly member: MemberOfSite | undefined;
}

export interface NewInteraction {
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly expires_at: number;
}

/** A session of the engine in stored form. */
export interface SavedSession {
  readonly site_id: string;
  /** The value of the cookie. */
  readonly id: string;
  readonly uid: string;
  readonly payload: object;
  readonly expires_at: number;
}

/** Browser sessions and their interactions. Their ids are cookies, so only digests are stored. */
@Injectable()
export class BrowserRepository {
  constructor(private readonly sql: Sql) {}

  /** False when all sessions of the person have ended since. */
  beginSession(
    session: SavedSession,
    { person_id, sign_outs }: Authenticated,
    userAgent: string | undefined,
  ): Promise<boolean> {
    const browser = userAgent?.slice(0, USER_AGENT_LENGTH) ?? null;
    return this.#writes(SESSION_BEGIN, [...key(session), person_id, ...content(session), sign_outs, browser]);
  }

  /** False when it has ended since it was read under the name `before`. `begun`: an interaction to save with it. */
  saveSession(session: SavedSession, personId: string, before: string, begun?: NewInteraction): Promise<boolean> {
    const values = [...key(session), personId, ...content(session), sha256(before)];
    if (begun === undefined) return this.#writes(SESSION_SAVE, values);
    const { id, payload, expires_at } = begun;
    return this.#writes(SESSION_SAVE_WITH_INTERACTION, [...values, sha256(id), JSON.stringify(payload), expires_at]);
  }

  /** False when a sign-in has used it since. */
  saveAnonymousSession(session: SavedSession): Promise<boolean> {
    return this.#writes(SESSION_SAVE_ANONYMOUS, [...key(session), ...content(session)]);
  }

  session(siteId: string, id: string): Promise<AdapterPayload | undefined> {
    return this.#payload(SESSION_FIND, [sha256(id), siteId]);
  }

  async sessionOfMember(siteId: string, id: string): Promise<SessionOfMember | undefined> {
    const [row] = await this.sql.query<WithMember>(SESSION_OF_MEMBER, [sha256(id), siteId]);
    if (row === undefined) return undefined;
    const { payload, ...member } = row;
    return { payload, member: member.person_id === null ? undefined : member };
  }

  /** The person of a live session. */
  async signedIn(siteId: string, uid: string): Promise<Authenticated | undefined> {
    const [row] = await this.sql.query<Authenticated>(SIGNED_IN, [uid, siteId]);
    return row;
  }

  /** The session `own` first, then the latest used. */
  sessionsOfPerson(personId: string, siteId: string, own: string, limit: number): Promise<ActiveSession[]> {
    return this.sql.query<ActiveSession>(SESSIONS_OF_PERSON, [personId, siteId, LIFETIMES.session, own, limit]);
  }

  /** Ends a session of that person only, and audits it: one statement. */
  async endSession(personId: string, siteId: string, uid: string, reason: SessionEnd): Promise<void> {
    await this.sql.query(SESSION_END, [reason, uid, siteId, personId]);
  }

  async saveInteraction(siteId: string, id: string, payload: AdapterPayload, expiresAt: number): Promise<void> {
    await this.sql.query(INTERACTION_UPSERT, [sha256(id), siteId, JSON.stringify(payload), expiresAt]);
  }

  async resumedInteraction(siteId: string, id: string): Promise<ResumedInteraction | undefined> {
    const [row] = await this.sql.query<WithClient<ResumedInteraction>>(INTERACTION_RESUMED, [sha256(id), siteId]);
    if (row === undefined) return undefined;
    const { payload, grant, ...client } = row;
    return { payload, grant, client: client.client_key === null ? undefined : client };
  }

  async openInteraction(siteId: string, id: string): Promise<FoundInteraction | undefined> {
    const [row] = await this.sql.query<WithClient<FoundInteraction>>(INTERACTION_OPEN, [sha256(id), siteId]);
    if (row === undefined) return undefined;
    const { payload, session_person, ...client } = row;
    return { payload, session_person, client: client.client_key === null ? undefined : client };
  }

  /** False when it had ended already. */
  endInteraction(siteId: string, id: string): Promise<boolean> {
    return this.#writes(INTERACTION_DESTROY, [sha256(id), siteId]);
  }

  async #writes(statement: Statement, values: readonly unknown[]): Promise<boolean> {
    return (await this.sql.query(statement, values)).length === 1;
  }

  async #payload(statement: Statement, values: readonly unknown[]): Promise<AdapterPayload | undefined> {
    const [row] = await this.sql.query<{ payload: AdapterPayload }>(statement, values);
    return row?.payload;
  }
}

const key = ({ site_id, id, uid }: SavedSession): unknown[] => [sha256(id), uid, site_id];
const content = ({ payload, expires_at }: SavedSession): unknown[] => [JSON.stringify(payload), expires_at];
