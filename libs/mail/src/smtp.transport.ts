import { oneLine } from './mail.js';
import type { Mail, MailTransport } from './mail.js';

/** Together shorter than the lease of the job that sends the mail. */
const TIMEOUTS = { connectionTimeout: 3_000, greetingTimeout: 3_000, socketTimeout: 5_000, dnsTimeout: 3_000 };
const CONNECTIONS = 4;

/** Sends mails to an SMTP server (RFC 5321) over a small connection pool. */
export class SmtpTransport implements MailTransport {
  #transport: ReturnType<typeof open> | undefined;

  constructor(
    private readonly url: string,
    private readonly from: string,
  ) {}

  async send({ to, subject, text, html, fromName, messageId, headers }: Mail): Promise<void> {
    const transport = await (this.#transport ??= open(this.url));
    await transport.sendMail({
      from: fromName === undefined ? this.from : { name: oneLine(fromName), address: this.from },
      // As an object, so that a comma does not add a recipient.
      to: { name: '', address: oneLine(to) },
      subject: oneLine(subject),
      // multipart/alternative: the plain text first, then what programs prefer (RFC 2046 §5.1.4).
      text,
      html,
      ...(messageId === undefined ? {} : { messageId: `<${messageId}>` }),
      headers: Object.entries(headers ?? {}).map(([key, value]) => ({ key, value: oneLine(value) })),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  close(): void {
    void this.#transport?.then((transport) => transport.close());
  }
}

/** Loads the library with the first mail. */
async function open(url: string) {
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Passwords require an encrypted connection.
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) }, requireTLS: !secure }),
    ...TIMEOUTS,
  });
}
