import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from './mail.js';
import type { Mail, MailTransport } from './mail.js';
import { alternatives } from './multipart.js';

/** Writes each mail as a message whose text is readable, for a single machine without mail delivery. */
export class FolderTransport implements MailTransport {
  constructor(
    private readonly folder: string,
    private readonly from: string,
  ) {}

  async send({ to, subject, text, html, fromName, messageId, headers = {} }: Mail): Promise<void> {
    const now = new Date();
    const { contentType, body } = alternatives({ text, html });
    const fields = {
      Date: now.toUTCString().replace('GMT', '+0000'),
      From: fromName === undefined ? this.from : `${phraseOf(fromName)} <${this.from}>`,
      To: to,
      Subject: subject,
      ...(messageId === undefined ? {} : { 'Message-ID': `<${messageId}>` }),
      ...headers,
      'MIME-Version': '1.0',
      'Content-Type': contentType,
    };
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${oneLine(value)}`);
    const name = `${now.toISOString().replaceAll(':', '-')}-${randomUUID()}.eml`;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // Renamed when complete, so that no reader of `*.eml` sees half a mail. A mail can have a sign-in link, so only the
    // owner of the folder may read it.
    const draft = join(this.folder, `.${name}.draft`);
    await writeFile(draft, `${head.join('\r\n')}\r\n\r\n${body}`, { mode: 0o600 });
    await rename(draft, join(this.folder, name));
  }

  close(): void {
    // Nothing to close.
  }
}

/** A display name, quoted where it has characters with a meaning in addresses (RFC 5322 §3.2.3). UTF-8: RFC 6532. */
const phraseOf = (name: string): string =>
  /[()<>[\]:;@\\,."]/.test(name) ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"` : name;
