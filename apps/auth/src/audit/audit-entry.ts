/** Permanent entries. The union is closed, so readers of the log know every event. */
export type AuditEvent =
  | 'sign_in.succeeded'
  | 'sign_in.failed'
  | 'sign_in.slowed_down'
  | 'consent.given'
  | 'consent.denied'
  | 'client.registered'
  | 'client.created'
  | 'client.fetched'
  | 'client.changed'
  | 'client.reviewed'
  | 'client.deleted'
  | 'consent.withdrawn'
  | 'token.issued'
  | 'token.refresh_repeated'
  | 'grants.revoked'
  | 'role.changed'
  | 'member.suspended'
  | 'member.reinstated'
  | 'member.removed'
  | 'profile.changed'
  | 'student.moved'
  | 'site.changed'
  | 'site.deleted'
  | 'person.suspended'
  | 'person.reinstated'
  | 'person.deleted'
  | 'password.changed'
  | 'password.reset_requested'
  | 'email.change_requested'
  | 'email.change_refused'
  | 'email.changed'
  | 'data.exported'
  | 'account.signed_up'
  | 'sign_in_link.requested'
  | 'passkey.added'
  | 'passkey.removed'
  | 'passkey.count_went_back'
  | 'signed_out.everywhere'
  | 'session.ended'
  | 'key.rotated';

/** Events of an account at all sites, and of the deployment. Their entries have no site, so no site reads them. */
const EVENTS_WITHOUT_SITE = [
  'password.changed',
  'signed_out.everywhere',
  'person.suspended',
  'person.reinstated',
  'person.deleted',
  'key.rotated',
] as const satisfies readonly AuditEvent[];
type EventWithoutSite = (typeof EVENTS_WITHOUT_SITE)[number];
type EventOfSite = Exclude<AuditEvent, EventWithoutSite>;

export const isOfSite = (event: AuditEvent): event is EventOfSite =>
  !EVENTS_WITHOUT_SITE.some((other) => other === event);

/** Events that are only counted: each open application refreshes every two hours. */
export type CountedEvent = AuditEvent | 'token.refreshed';

/** Why grants ended: `details.reason` of `grants.revoked`. */
export const REVOCATION_REASONS = [
  'revoked_by_client',
  'refresh_token_reused',
  'code_replayed',
  'roles_changed',
  'member_suspended',
  'member_removed',
  'member_left',
  'person_suspended',
  'person_deleted',
  'signed_out',
  'revoked_by_person',
  'password_changed',
  'client_deleted',
  'client_changed',
  'client_blocked',
  'site_suspended',
  'site_deleted',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** Reasons of `session.ended` in `details.reason`. `replaced`: another sign-in in the same browser. */
export type SessionEnd = 'signed_out' | 'replaced' | RevocationReason;

interface EntryFacts {
  readonly person_id?: string | null;
  readonly client_id?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

interface EntryOfSite extends EntryFacts {
  readonly event: EventOfSite;
  /** Null for a client of the deployment. */
  readonly site_id: string | null;
}

interface EntryWithoutSite extends EntryFacts {
  readonly event: EventWithoutSite;
  readonly site_id?: never;
}

export type AuditEntry = EntryOfSite | EntryWithoutSite;
