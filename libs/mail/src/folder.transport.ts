import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from './mail.js';
import type { Mail, MailTransport } from './mail.js';

/** Writes each mail as a readable text file, for a single machine without mail delivery. */
export class FolderTransport implements MailTransport {
  constructor(
    private readonly folder: string,
    private readonly from: string,
  ) {}

  async send({ to, subject, text, fromName, messageId, headers = {} }: Mail): Promise<void> {
    const now = new Date();
    const fields = {
      Date: now.toUTCString(),
      From: fromName === undefined ? this.from : `${fromName} <${this.from}>`,
      To: to,
      Subject: subject,
      ...(messageId === undefined ? {} : { 'Message-ID': `<${messageId}>` }),
      ...headers,
      'Content-Type': 'text/plain; charset=utf-8',
    };
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${oneLine(value)}`);
    const name = `${now.toISOString().replaceAll(':', '-')}-${randomUUID()}.eml`;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // Renamed when complete, so that no reader sees half a mail. It may contain a sign-in link, so only the owner may
    // read it.
    const draft = join(this.folder, `.${name}`);
    await writeFile(draft, `${head.join('\r\n')}\r\n\r\n${text}\r\n`, { mode: 0o600 });
    await rename(draft, join(this.folder, name));
  }

  close(): void {
    // Nothing to close.
  }
}
