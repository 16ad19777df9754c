import type { Theme } from '@lyceum/contracts';

/** A link under words of its own. An address that is neither http nor https is left out. */
export interface MailLink {
  readonly label: string;
  readonly url: string;
}

/** One thing of a list, such as a notification of a digest. */
export interface MailEntry {
  readonly title: string;
  readonly text: string;
  readonly url: string | null;
}

/** A part of the content. `text` has paragraphs between empty lines. A mail has one button at most. */
export type MailBlock =
  | { readonly text: string }
  | { readonly items: readonly string[] }
  | { readonly entries: readonly MailEntry[] }
  | { readonly button: MailLink; readonly note?: string }
  | { readonly link: MailLink };

/** The site that a mail comes from. Without a theme it has the colors of the platform. */
export interface MailSite {
  readonly name: string;
  readonly base_url: string;
  readonly theme?: Theme;
}

/** The content of a mail, from which both its HTML and its plain text are written. All members are plain text. */
export interface MailParts {
  readonly site: MailSite;
  /** The subject, which is the heading too. */
  readonly heading: string;
  readonly greeting: string;
  readonly blocks: readonly MailBlock[];
  /** The reason for which the recipient gets the mail. */
  readonly reason: string;
  /** The address that ends mails of this kind; null for mandatory ones. */
  readonly unsubscribe: string | null;
}
