export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text, lines of any length. */
  readonly text: string;
  /** The name that stands before the sender's address, such as that of the site. */
  readonly fromName?: string;
  /** Left and right side of the Message-ID (RFC 5322 §3.6.4). The same mail sent again keeps it. */
  readonly messageId?: string;
  /** Further headers, each one line. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Hands a mail over; done when whoever delivers it has taken it. */
export interface MailTransport {
  /** @throws an `Error` when it was not taken. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Header values hold one line (RFC 5322 §2.2): what would begin another header is taken out. */
export const oneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ');
