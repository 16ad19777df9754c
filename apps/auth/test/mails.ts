import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

const LINK = /http\S+\/account\/invitation\S+/;

/** The folder in which a service under test writes its mails. */
export class Mails {
  readonly directory = mkdtempSync(join(tmpdir(), 'lyceum-mail-'));

  /** In the order in which they were sent. */
  to(email: string): string[] {
    return (
      readdirSync(this.directory)
        // A mail that is being written has a name with a dot before it.
        .filter((file) => /^[^.].*\.eml$/.test(file))
        .toSorted()
        .map((file) => readFileSync(join(this.directory, file), 'utf8'))
        .filter((text) => text.includes(`To: ${email}\r\n`))
    );
  }

  /** The links that set a password, in the order in which they were sent. */
  links(email: string): string[] {
    return this.to(email)
      .filter((mail) => LINK.test(mail))
      .map(linkIn);
  }

  /** Runs `ask`, and waits for the link that comes of it. */
  async newLink(email: string, ask: () => Promise<unknown>): Promise<string> {
    const { length } = this.links(email);
    await ask();
    const links = await eventually(
      () => this.links(email),
      (found) => found.length > length,
    );
    return links.at(-1) ?? '';
  }

  /** Waits for so many mails, and returns the last one. */
  async last(email: string, count = 1): Promise<string> {
    const mails = await eventually(
      () => this.to(email),
      (found) => found.length >= count,
    );
    return mails.at(-1) ?? '';
  }
}

/** The path and query of the link that sets a password. */
export function linkIn(mail: string): string {
  const { pathname, search } = new URL(LINK.exec(mail)?.[0] ?? '');
  return pathname + search;
}
