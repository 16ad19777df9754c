import type { Page } from '@lyceum/testing';
import { PASSWORD } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

/** Refused without hashing, so that many are cheap. */
export const WRONG = 'x'.repeat(300);

/** Right and wrong sign-ins at the account, in browsers without cookies unless one is given. */
export class SignIns {
  readonly #auth: TestAuth;

  constructor(auth: TestAuth) {
    this.#auth = auth;
  }

  async signIn(name: string, password = PASSWORD, flow = new Flow(this.#auth)): Promise<Page> {
    return flow.signIn(await flow.browser.open('/account/sign-in'), name, password);
  }

  /** A browser that signed in before, and is signed out. */
  async knownBrowser(name: string): Promise<Flow> {
    const flow = new Flow(this.#auth);
    await this.signIn(name, PASSWORD, flow);
    await flow.signOut('here');
    return flow;
  }

  /** The statuses of wrong sign-ins from the shared address of all tests, each of another account. */
  async guess(times: number, flow = new Flow(this.#auth), prefix = 'unknown'): Promise<number[]> {
    let page = await flow.browser.open('/account/sign-in');
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) {
      page = await flow.signIn(page, `${prefix}-${time}`, WRONG);
      statuses.push(page.status);
    }
    return statuses;
  }

  /** Resets the counts of other tests. */
  async forget(): Promise<void> {
    await this.#auth.sql('DELETE FROM sign_in_attempts');
    await this.#auth.resetLimits();
  }
}
