import type { Page } from '@lyceum/testing';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Mails } from './mails.js';
import { signedIn } from './passkey-flow.js';

export const CHANGE = '/account/email';
const LINK = /http\S+\/account\/email\/link\?token=\S+/;

export interface Mover {
  readonly flow: Flow;
  readonly name: string;
  readonly email: string;
  readonly next: string;
}

/** A service whose mails can be read, and people who change their addresses. */
export class EmailChanges {
  readonly mails = new Mails();
  #auth: TestAuth | undefined;
  #people = 0;

  get auth(): TestAuth {
    if (this.#auth === undefined) throw new Error('The service has not started');
    return this.#auth;
  }

  async start(): Promise<void> {
    this.#auth = await startAuth({ environment: { MAIL_DIRECTORY: this.mails.directory } });
  }

  async reset(): Promise<void> {
    await this.auth.sql('DELETE FROM sign_in_attempts');
    await this.auth.resetLimits();
  }

  /** A new person at both sites, who is signed in at the first one. */
  async mover(): Promise<Mover> {
    const { auth } = this;
    this.#people += 1;
    const name = `mover-${this.#people}`;
    const email = `${name}@school.example`;
    const person = { email, name, password: PASSWORD, roles: ['student' as const] };
    const sites = [auth.site, auth.other].map(({ site_id: _id, ...site }) => ({
      ...site,
      people: [person],
      clients: [],
    }));
    await auth.apply({ sites });
    return { flow: await signedIn(auth, name), name, email, next: `${name}-new@school.example` };
  }

  async request(flow: Flow, email: string, current = PASSWORD): Promise<Page> {
    return flow.submit(await flow.browser.open(CHANGE), 'current', { email, current });
  }

  /** The path of the newest link that the address got. */
  async linkTo(email: string): Promise<string> {
    await this.auth.mailsSent();
    const found = this.mails.to(email).flatMap((text) => LINK.exec(text)?.[0] ?? []);
    const { pathname, search } = new URL(found.at(-1) ?? '');
    return pathname + search;
  }

  /** Opens the link in a browser without a session, and presses the button. */
  async decide(email: string, decision: 'agree' | 'refuse' = 'agree'): Promise<Page> {
    const flow = new Flow(this.auth);
    return flow.submit(await flow.browser.open(await this.linkTo(email)), 'decision', { decision });
  }

  async signInStatus(email: string): Promise<number> {
    const flow = new Flow(this.auth);
    const page = await flow.browser.open('/account');
    return (await flow.submit(page, 'password', { email, password: PASSWORD })).status;
  }

  /** The types of the waiting events with the address. */
  async events(entity: string, email: string): Promise<string[]> {
    const found = await this.auth.sql<{ type: string }>(
      `select payload::jsonb ->> 'type' as type from outbox
        where payload::jsonb ->> 'type' like $1 and payload::jsonb #>> '{data,email}' = $2`,
      [`identity.${entity}.%`, email],
    );
    return found.map(({ type }) => type);
  }

  async audited(event: string, email: string): Promise<number> {
    const text = 'select 1 from audit_log join people using (person_id) where event = $1 and email = $2';
    return (await this.auth.sql(text, [event, email])).length;
  }
}
