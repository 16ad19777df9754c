import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { decrypt, encrypt } from '@lyceum/platform';
import { AuthSettings } from '#src/auth.environment.js';
import type { SiteRecord } from '#src/sites/site.js';
import { DecisionsRepository } from './decisions.repository.js';
import type { DecidedInteraction } from './decisions.repository.js';

/** Milliseconds. A second decision waits this long for the first, whose statements take a few. */
const PATIENCE = 3_000;
const INTERVAL = 25;

/** The response that continued an authorization. */
export interface Continuation {
  readonly location: string;
  /** `Set-Cookie` lines: the response of the first request may have reached no browser. */
  readonly cookies: readonly string[];
}

const context = (siteId: string, uid: string): string => `continuation:${siteId}:${uid}`;

/**
 * A double click sends a decision twice. The first one decides. The second one waits for it and gets the same response,
 * because a second code would end the first.
 */
@Injectable()
export class Decisions {
  constructor(
    private readonly decisions: DecisionsRepository,
    private readonly settings: AuthSettings,
  ) {}

  release({ site_id }: SiteRecord, uid: string): Promise<void> {
    return this.decisions.release(site_id, uid);
  }

  find({ site_id }: SiteRecord, uid: string): Promise<DecidedInteraction | undefined> {
    return this.decisions.find(site_id, uid);
  }

  /** The redirect URI of an interaction that has ended; undefined for an open, expired and unknown one. */
  async endedFor({ site_id }: SiteRecord, uid: string): Promise<string | undefined> {
    const found = await this.decisions.find(site_id, uid);
    if (found?.ended !== true) return undefined;
    const redirectUri: unknown = found.payload.params?.['redirect_uri'];
    return typeof redirectUri === 'string' ? redirectUri : '';
  }

  /** The interaction with the result of the first decision. Undefined when nothing is decided, or not in time. */
  async decided({ site_id }: SiteRecord, uid: string): Promise<DecidedInteraction | undefined> {
    const found = await this.#until(site_id, uid, ({ claimed, ended, payload }) => {
      return !claimed || ended || payload.result !== undefined;
    });
    return found?.payload.result === undefined ? undefined : found;
  }

  /** The response to the first decision, while it can be repeated. */
  async continuation({ site_id }: SiteRecord, uid: string): Promise<Continuation | undefined> {
    const isOver = ({ ended, sealed_response }: DecidedInteraction): boolean => !ended || sealed_response !== null;
    const found = await this.#until(site_id, uid, isOver);
    if (found?.repeatable !== true || found.sealed_response === null) return undefined;
    const text = decrypt(this.settings.values.KEY_ENCRYPTION_KEY, context(site_id, uid), found.sealed_response);
    const continuation = JSON.parse(text) as Continuation;
    // An application that gets a used code again would redeem it again, which revokes its tokens.
    const code = URL.parse(continuation.location)?.searchParams.get('code');
    const isUsed = typeof code === 'string' && !(await this.decisions.isCodeUnused(site_id, code));
    return isUsed ? undefined : continuation;
  }

  /** The stored form of a response: its cookies sign a person in. */
  seal({ site_id }: SiteRecord, uid: string, continuation: Continuation): Buffer {
    return encrypt(this.settings.values.KEY_ENCRYPTION_KEY, context(site_id, uid), JSON.stringify(continuation));
  }

  async keep(site: SiteRecord, uid: string, continuation: Continuation): Promise<void> {
    await this.decisions.saveResponse(site.site_id, uid, this.seal(site, uid, continuation));
  }

  async #until(
    siteId: string,
    uid: string,
    isOver: (found: DecidedInteraction) => boolean,
  ): Promise<DecidedInteraction | undefined> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const found = await this.decisions.find(siteId, uid);
      if (found === undefined || isOver(found) || performance.now() > deadline) return found;
      await sleep(INTERVAL);
    }
  }
}
