import type { Theme } from '@lyceum/contracts';

/** The notices report changes of the sign-in, so that the person notices a theft (NIST SP 800-63B §4.6). */
export type MailKind =
  | 'welcome'
  | 'password_reset'
  | 'sign_up'
  | 'sign_up_known'
  | 'sign_in_link'
  | 'password_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'email_change_approval'
  | 'email_change_confirmation'
  | 'email_changed'
  | 'webhook_gone'
  | 'webhook_failing';

/** A person, at the present address unless another one is given, or the address of someone without an account. */
export type MailRecipient =
  | { readonly person_id: string; readonly address?: string }
  | { readonly person_id?: undefined; readonly address: string };

export type NewMail = MailRecipient & MailContents;

interface MailContents {
  readonly kind: MailKind;
  readonly site_id: string;
  /** Names of the passkeys that the text lists. */
  readonly passkeys?: readonly string[];
  /** The disabled webhook endpoint. */
  readonly url?: string;
  /** The token of the link. */
  readonly token?: string;
  /** The language in which the recipient requested it. */
  readonly language?: string | null;
}

/** A mail with the current values that its text needs. */
export interface QueuedMail {
  readonly mail_id: string;
  readonly kind: MailKind;
  readonly passkeys: readonly string[];
  readonly url: string | null;
  /** The recipient. */
  readonly email: string;
  /** The present address of the person; without an account, that of the recipient. */
  readonly account: string;
  /** The address that a link of an email change leads to. */
  readonly new_email: string | null;
  /** The name of the person, not that of the profile at the site (ADR 33). Empty without an account. */
  readonly name: string;
  readonly site_name: string;
  readonly base_url: string;
  readonly theme: Theme;
  /** The language in which the recipient requested it. */
  readonly language: string | null;
  /** The language of the person at the site: BCP 47. */
  readonly locale: string | null;
  readonly site_locale: string | null;
  /** The time zone of the person at the site, otherwise of the site. */
  readonly timezone: string | null;
  readonly link: MailedLink | undefined;
}

export interface MailedLink {
  readonly token: string;
  readonly expires_at: Date;
}
