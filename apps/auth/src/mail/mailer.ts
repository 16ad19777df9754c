import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { AuthSettings } from '#src/auth.environment.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Header values hold one line (RFC 5322 §2.2): what would begin another header is taken out. */
const oneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ');

/** Hands mails over. On one machine that means a folder in which each is a file; without one they are only counted. */
@Injectable()
export class Mailer {
  readonly #logger = new Logger(Mailer.name);

  constructor(private readonly settings: AuthSettings) {}

  async send(mail: Mail): Promise<void> {
    const folder = this.settings.values.MAIL_DIRECTORY;
    if (folder === undefined) {
      this.#logger.warn('A mail was not sent: MAIL_DIRECTORY is not set');
      return;
    }
    const now = new Date();
    const name = `${now.toISOString().replaceAll(':', '-')}-${randomUUID()}.eml`;
    const head = [`Date: ${now.toUTCString()}`, `To: ${oneLine(mail.to)}`, `Subject: ${oneLine(mail.subject)}`];
    const text = `${head.join('\r\n')}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${mail.text}\r\n`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Whoever watches the folder never reads half a mail. It carries a link that signs in: readable by the owner only.
    const draft = join(folder, `.${name}`);
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, join(folder, name));
  }
}
