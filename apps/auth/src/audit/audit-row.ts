export interface AuditRow {
  readonly audit_id: string;
  readonly occurred_at: Date;
  readonly event: string;
  readonly client_id: string | null;
  readonly client_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** The person that the entry is about. Null for an erased member. */
  readonly email: string | null;
  readonly person_name: string | null;
  /** The member who changed that person. Null for a change of one's own, and for an erased member. */
  readonly actor_name: string | null;
}
