/** What is written down for good. The union is closed, so that a reader of the log knows every word of it. */
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
  | 'token.issued'
  | 'token.refreshed'
  | 'token.refresh_repeated'
  | 'grants.revoked'
  | 'role.changed'
  | 'person.suspended'
  | 'password.changed'
  | 'key.rotated';

export interface AuditEntry {
  readonly event: AuditEvent;
  readonly site_id?: string | null;
  readonly person_id?: string | null;
  readonly client_id?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}
