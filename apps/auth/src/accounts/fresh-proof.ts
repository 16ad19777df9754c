import { Injectable } from '@nestjs/common';
import { SigningKey } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthSettings } from '#src/auth.environment.js';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { PASSKEYS } from '#src/protocol/paths.js';
import type { AccountContext } from './account-session.guard.js';

const cookie = { name: 'lyceum.proof', path: PASSKEYS, sameSite: 'strict' } as const;
const LIFETIME_MS = LIFETIMES.passkeyChallenge * 1000;

/**
 * Remembers for a few minutes that the person of a session has proved the password, so that the page behind the proof
 * has an address of its own and can be reloaded.
 */
@Injectable()
export class FreshProof {
  constructor(private readonly settings: AuthSettings) {}

  leave(reply: FastifyReply, context: AccountContext): void {
    const value = this.#key(context).seal(Buffer.from(String(Date.now())));
    setCookie(reply, context.site, { ...cookie, value, seconds: LIFETIMES.passkeyChallenge });
  }

  isFresh(request: FastifyRequest, context: AccountContext): boolean {
    const sealed = readCookie(request, cookie.name) ?? '';
    const opened = this.#key(context).open(sealed);
    return opened !== undefined && Date.now() - Number(opened.toString()) < LIFETIME_MS;
  }

  end(reply: FastifyReply, { site }: AccountContext): void {
    setCookie(reply, site, { ...cookie, value: '', seconds: 0 });
  }

  #key({ site, session }: AccountContext): SigningKey {
    return new SigningKey(this.settings.cookieKeys, 'password-proof', site.site_id, session.uid);
  }
}
