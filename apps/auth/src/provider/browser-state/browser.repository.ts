import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import type { AdapterPayload } from 'oidc-provider';
import type { SessionEnd } from '#src/audit/audit-entry.js';
import type { OAuthClient } from '#src/clients/client.js';
import { endingSessions } from '#src/grants/ending-sessions.js';
import type { Authenticated } from '#src/people/authenticated.js';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import { memberAtSite } from '#src/people/member-at-site.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';
import type { ActiveSession } from './active-session.js';
import {
  CLIENT_AND_SESSION,
  INTERACTION_CLAIM,
  INTERACTION_OPEN,
  INTERACTION_PAGE,
  INTERACTION_RESUMED,
  INTERACTION_RESUMED_BY_SESSION,
} from './interaction-reads.js';
import type {
  ClaimedInteraction,
  FoundInteraction,
  ResumedInteraction,
  SessionOfMember,
  ShownInteraction,
} from './interaction-reads.js';
import {
  SESSION_BEGIN,
  SESSION_SAVE,
  SESSION_SAVE_ANONYMOUS,
  SESSION_SAVE_WITH_INTERACTION,
  SESSION_SAVE_WITH_RESPONSE,
} from './session-writes.js';

/** Characters. Browsers send about 120. */
const USER_AGENT_LENGTH = 400;
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

type WithMember = Pick<SessionOfMember, 'payload'> & (MemberOfSite | { readonly person_id: null });
type WithClient<Row> = Omit<Row, 'client'> & (OAuthClient | { readonly client_key: null });
type Nullable<Row, Name extends keyof Row> = Omit<Row, Name> & { readonly [Key in Name]: Row[Key] | null };
/** The session of a browser in the row of something else. Null without one. */
type WithSession<Row> = Row & {
  readonly session: AdapterPayload | null;
  readonly member: MemberOfSite | null;
};

/** A row, with the session of the browser. */
interface BesideSession<Row> {
  readonly row: Row;
  readonly session: SessionOfMember | undefined;
}

export interface NewInteraction {
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly expires_at: number;
}

/** Written by the statement that saves the session. */
interface SavedWithSession {
  /** A new interaction. It is saved also when the session has ended. */
  readonly begun?: NewInteraction | undefined;
  /** The response of an interaction. It is kept with the session only. */
  readonly kept?: { readonly uid: string; readonly sealed: Buffer } | undefined;
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

  /** False when it has ended since it was read under the name `before`. */
  saveSession(session: SavedSession, personId: string, before: string, also: SavedWithSession): Promise<boolean> {
    const values = [...key(session), personId, ...content(session), sha256(before)];
    const { begun, kept } = also;
    if (kept !== undefined) {
      return this.#writes(SESSION_SAVE_WITH_RESPONSE, [...values, sha256(kept.uid), kept.sealed]);
    }
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

  /** A client, and the session of the browser: one statement. */
  async clientAndSession(
    siteId: string,
    clientId: string,
    id: string,
  ): Promise<BesideSession<OAuthClient | undefined>> {
    const values = [clientId, siteId, sha256(id)];
    const [row] = await this.sql.query<WithSession<WithClient<object>>>(CLIENT_AND_SESSION, values);
    if (row === undefined) return { row: undefined, session: undefined };
    const { session, member, ...client } = row;
    return { row: clientOf(client), session: sessionOf({ session, member }) };
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
    return row && resumed(row);
  }

  /** The same, with the session of the browser: one statement. */
  async resumedBySession(
    siteId: string,
    id: string,
    sessionId: string,
  ): Promise<BesideSession<ResumedInteraction> | undefined> {
    const values = [sha256(id), siteId, sha256(sessionId)];
    const [row] = await this.sql.query<WithSession<WithClient<ResumedInteraction>>>(
      INTERACTION_RESUMED_BY_SESSION,
      values,
    );
    if (row === undefined) return undefined;
    const { session, member, ...rest } = row;
    return { row: resumed(rest), session: sessionOf({ session, member }) };
  }

  async openInteraction(siteId: string, id: string): Promise<FoundInteraction | undefined> {
    const [row] = await this.sql.query<WithClient<FoundInteraction>>(INTERACTION_OPEN, [sha256(id), siteId]);
    return row && opened(row);
  }

  /** The same with the person of its consent page: one statement. */
  async shownInteraction(siteId: string, id: string, resource: string): Promise<ShownInteraction | undefined> {
    const values = [sha256(id), siteId, resource];
    const [row] = await this.sql.query<WithClient<Nullable<ShownInteraction, 'member'>>>(INTERACTION_PAGE, values);
    if (row === undefined) return undefined;
    const { member, approved, ...rest } = row;
    return { ...opened(rest), member: member ?? undefined, approved };
  }

  /** Undefined when it is over, and after the first decision. */
  async claimInteraction(siteId: string, id: string): Promise<ClaimedInteraction | undefined> {
    const values = [sha256(id), siteId];
    const [row] = await this.sql.query<WithClient<Nullable<ClaimedInteraction, 'approver'>>>(INTERACTION_CLAIM, values);
    if (row === undefined) return undefined;
    const { approver, ...rest } = row;
    return { ...opened(rest), approver: approver ?? undefined };
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

function clientOf(client: WithClient<object>): OAuthClient | undefined {
  return client.client_key === null ? undefined : client;
}

function sessionOf({ session, member }: WithSession<object>): SessionOfMember | undefined {
  return session === null ? undefined : { payload: session, member: member ?? undefined };
}

function opened({ payload, session_person, ...client }: WithClient<FoundInteraction>): FoundInteraction {
  return { payload, session_person, client: clientOf(client) };
}

function resumed({ payload, grant, ...client }: WithClient<ResumedInteraction>): ResumedInteraction {
  return { payload, grant, client: clientOf(client) };
}
