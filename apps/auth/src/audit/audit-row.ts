export interface AuditRow {
  readonly audit_id: string;
  readonly occurred_at: Date;
  readonly event: string;
  readonly client_id: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** The person that the entry is about. */
  readonly email: string | null;
}
