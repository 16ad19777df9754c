import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthSettings } from '#src/auth.environment.js';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import type { SiteRecord } from '#src/sites/site.js';

const COOKIE = 'lyceum.device';
const TAG_BYTES = 16;
/** Accounts that remember one browser: a computer of a family or a class. */
const MAX_ACCOUNTS = 5;

interface Account {
  readonly site_id: string;
  readonly email: string;
}

const seconds = (): number => Math.floor(Date.now() / 1000);

/**
 * Browsers that have signed in to an account before, by a signed cookie (OWASP, "Slow Down Online Guessing Attacks with
 * Device Cookies"). It grants nothing: failures of others do not block such a browser.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly settings: AuthSettings) {}

  /** Identifies this browser among those of the account; undefined when it has not signed in to the account lately. */
  of(request: FastifyRequest, { site_id }: SiteRecord, email: string): string | undefined {
    const account = { site_id, email: canonicalEmail(email) ?? '' };
    return this.#marks(request).find((mark) => this.#isOf(mark, account));
  }

  remember(request: FastifyRequest, reply: FastifyReply, site: SiteRecord, email: string): void {
    const account = { site_id: site.site_id, email: canonicalEmail(email) ?? '' };
    const others = this.#marks(request).filter((mark) => !this.#isOf(mark, account));
    const [newest = ''] = this.settings.values.COOKIE_KEYS;
    const issued = seconds().toString(36);
    const mark = `${issued}.${tag(newest, account, issued).toString('base64url')}`;
    const value = [mark, ...others].slice(0, MAX_ACCOUNTS).join('~');
    setCookie(reply, site, { name: COOKIE, value, path: '/', sameSite: 'lax', seconds: LIFETIMES.knownDevice });
  }

  #marks(request: FastifyRequest): string[] {
    return (readCookie(request, COOKIE) ?? '')
      .split('~', MAX_ACCOUNTS)
      .filter((mark) => /^\w{1,9}\.[\w-]{22}$/.test(mark));
  }

  #isOf(mark: string, account: Account): boolean {
    const [issued = '', given = ''] = mark.split('.');
    const age = seconds() - Number.parseInt(issued, 36);
    if (!(age >= 0 && age < LIFETIMES.knownDevice)) return false;
    const bytes = Buffer.from(given, 'base64url');
    return this.settings.values.COOKIE_KEYS.some((key) => {
      const expected = tag(key, account, issued);
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
  }
}

function tag(key: string, { site_id, email }: Account, issued: string): Buffer {
  return createHmac('sha256', key).update(`device:${site_id}\n${email}\n${issued}`).digest().subarray(0, TAG_BYTES);
}
