export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text, lines of any length. */
  readonly text: string;
  /** The same content as a document. */
  readonly html: string;
  /** Display name of the sender, such as the site's name. */
  readonly fromName?: string;
  /** Left and right side of the Message-ID (RFC 5322 §3.6.4). A retry keeps it. */
  readonly messageId?: string;
  /** Further headers, each one line. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Delivers a mail to the next server; resolves when that accepted it. */
export interface MailTransport {
  /** @throws an `Error` when it was not accepted. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Header values are one line (RFC 5322 §2.2): removes line breaks, which could start another header. */
export const oneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ');
