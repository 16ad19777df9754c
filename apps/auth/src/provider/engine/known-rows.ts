import type { IncomingMessage } from 'node:http';
import type { AdapterPayload } from 'oidc-provider';
import type { OAuthClient } from '#src/clients/client.js';
import type { NewInteraction } from '../browser-state/browser.repository.js';
import type { ResumedInteraction, SessionOfMember } from '../browser-state/interaction-reads.js';
import type { MemberOfSite } from '#src/people/claims.policy.js';

export interface KnownRows {
  client?: OAuthClient;
  /** With the cookie of the session. */
  session?: SessionOfMember & { readonly id: string };
  interaction?: ResumedInteraction & { readonly id: string };
  member?: MemberOfSite;
  grant?: AdapterPayload & { readonly jti: string };
  /** Waits for the session, which the engine saves afterwards. */
  begun?: NewInteraction;
}

/** Rows of one request that were read with others, before the engine asks for them one by one. */
const rows = new WeakMap<IncomingMessage, KnownRows>();

/** Saves the engine the read of these rows in this request. */
export function knowRows(message: IncomingMessage | undefined, known: KnownRows): void {
  if (message !== undefined) rows.set(message, { ...rows.get(message), ...known });
}

export function knownClient(message: IncomingMessage | undefined, clientId: string): OAuthClient | undefined {
  const { client } = knownOf(message);
  return client?.client_id === clientId ? client : undefined;
}

export function knownSession(message: IncomingMessage | undefined, id: string): SessionOfMember | undefined {
  const { session } = knownOf(message);
  return session?.id === id ? session : undefined;
}

export function knownInteraction(message: IncomingMessage | undefined, id: string): ResumedInteraction | undefined {
  const { interaction } = knownOf(message);
  return interaction?.id === id ? interaction : undefined;
}

export function knownMember(message: IncomingMessage | undefined, personId: string): MemberOfSite | undefined {
  const { member } = knownOf(message);
  return member?.person_id === personId ? member : undefined;
}

export function knownGrant(message: IncomingMessage | undefined, grantId: string): AdapterPayload | undefined {
  const { grant } = knownOf(message);
  return grant?.jti === grantId ? grant : undefined;
}

/** The interaction that waits for the session of this request. */
export function begunInteraction(message: IncomingMessage | undefined): NewInteraction | undefined {
  return knownOf(message).begun;
}

const knownOf = (message: IncomingMessage | undefined): KnownRows => (message && rows.get(message)) ?? {};
