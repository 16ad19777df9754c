import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@lyceum/testing';

const LINK = /http\S+\/account\/(?:invitation|email-link)\S+/;

/** The directory of the mails of a service under test. */
export class Mails {
  readonly directory = mkdtempSync(join(tmpdir(), 'lyceum-mail-'));

  /** In the order of sending. */
  to(email: string): string[] {
    return (
      readdirSync(this.directory)
        // The name of an unfinished mail begins with a dot.
        .filter((file) => /^[^.].*\.eml$/.test(file))
        .toSorted()
        .map((file) => readFileSync(join(this.directory, file), 'utf8'))
        .filter((text) => text.includes(`To: ${email}\r\n`))
    );
  }

  /** The links that set a password or sign in, in the order of sending. */
  links(email: string): string[] {
    return this.to(email)
      .filter((mail) => LINK.test(mail))
      .map(linkIn);
  }

  /** Runs `ask`, and waits for its link. */
  async newLink(email: string, request: () => Promise<unknown>): Promise<string> {
    const { length } = this.links(email);
    await request();
    const links = await eventually(
      () => this.links(email),
      (found) => found.length > length,
    );
    return links.at(-1) ?? '';
  }

  /** Waits for this many mails, and returns the last one. */
  async last(email: string, count = 1): Promise<string> {
    const mails = await eventually(
      () => this.to(email),
      (found) => found.length >= count,
    );
    return mails.at(-1) ?? '';
  }
}

/** The path and query of a link. */
export function linkIn(mail: string): string {
  const { pathname, search } = new URL(LINK.exec(mail)?.[0] ?? '');
  return pathname + search;
}
