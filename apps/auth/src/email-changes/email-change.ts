/** The owner of the present address approves or refuses a change; the owner of the new one confirms it. */
export type EmailChangeSide = 'approval' | 'confirmation';

/** `taken`: the new address has become that of another person. */
export type EmailChangeOutcome = 'changed' | 'refused' | 'taken';

/** A change that waits for one or both addresses. */
export interface OpenEmailChange {
  readonly new_email: string;
  readonly approved: boolean;
  readonly confirmed: boolean;
  readonly expires_at: Date;
}

/** A change as one of its two links finds it. */
export interface LinkedEmailChange extends OpenEmailChange {
  readonly person_id: string;
  readonly side: EmailChangeSide;
  /** The present address. */
  readonly email: string;
  /** True when another person has the new address. */
  readonly taken: boolean;
  readonly outcome: EmailChangeOutcome | null;
}
