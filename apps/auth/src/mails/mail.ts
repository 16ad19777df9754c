/** The notices report changes of the sign-in, so that the person notices a theft (NIST SP 800-63B §4.6). */
export type MailKind = 'welcome' | 'password_reset' | 'password_changed' | 'passkey_added' | 'passkey_removed';

export interface NewMail {
  readonly kind: MailKind;
  readonly site_id: string;
  readonly person_id: string;
  /** Names of the passkeys that the text lists. */
  readonly passkeys?: readonly string[];
  /** The token of the link. */
  readonly token?: string;
}

/** A mail with the current values that its text needs. */
export interface QueuedMail {
  readonly mail_id: string;
  readonly kind: MailKind;
  readonly passkeys: readonly string[];
  readonly email: string;
  /** Of the person, not of the profile at the site (ADR 33). */
  readonly name: string;
  readonly site_name: string;
  readonly base_url: string;
  readonly link: MailedLink | undefined;
}

export interface MailedLink {
  readonly token: string;
  readonly expires_at: Date;
}
