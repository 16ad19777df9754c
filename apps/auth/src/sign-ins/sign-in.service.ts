import { Injectable } from '@nestjs/common';
import { sourceOf } from '@lyceum/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Authenticated, SignedIn } from '#src/people/authenticated.js';
import { PasskeysService } from '#src/passkeys/passkeys.service.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { KnownDevices } from './known-devices.js';
import { usedPasskey } from './passkey-use.js';
import type { PasskeyOffer } from './sign-in.form.js';
import { SignInLimits } from './sign-in-limits.js';
import { SiteSignIn } from './site-sign-in.js';
import type { SignInContext } from './site-sign-in.js';

type SlowedDown = { readonly kind: 'slowed_down'; readonly retryAfter: number };

/** The result of a password check. */
export type PasswordOutcome =
  | { readonly kind: 'signed_in'; readonly who: SignedIn }
  | { readonly kind: 'refused' }
  | SlowedDown;

export type SignInOutcome = PasswordOutcome | { readonly kind: 'passkey_refused' | 'passkey_stale' | 'no_access' };

/**
 * RFC 8176: a passkey proves possession of a key, and presence and verification of its user. A link from an email is a
 * password for one use.
 */
const AMR = { password: ['pwd'], passkey: ['mfa', 'pop', 'user'], link: ['otp'] } as const;

export interface PasskeyAttempt {
  /** The response of the browser, as JSON. */
  readonly credential: string;
  /** A value that only the challenged browser has. */
  readonly browser: string;
}

/**
 * Signs people in. Wrong passwords delay their account at their source, for known and unknown accounts, and also
 * accounts and sources with many failures.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly people: PeopleService,
    private readonly passkeys: PasskeysService,
    private readonly limits: SignInLimits,
    private readonly devices: KnownDevices,
    private readonly siteSignIn: SiteSignIn,
  ) {}

  async attempt(at: SignInContext, { email, password }: { email: string; password: string }): Promise<SignInOutcome> {
    const outcome = await this.prove(at, email, (account) => this.people.authenticate(account, password));
    if (outcome.kind !== 'signed_in') return outcome;
    const isMember = await this.siteSignIn.enter(at, outcome.who, email, { method: 'password' });
    return isMember ? outcome : { kind: 'no_access' };
  }

  /**
   * Signs in the owner of a mailed link, who has set a `password` with it or not. Undefined for a person who may not
   * use the site.
   */
  async enterByLink(
    at: SignInContext,
    who: Authenticated,
    email: string,
    proof: 'password' | 'link' = 'password',
  ): Promise<SignedIn | undefined> {
    const isMember = await this.siteSignIn.enter(at, who, email, { method: 'link' });
    return isMember ? { ...who, amr: AMR[proof] } : undefined;
  }

  /** Undefined where passkeys are not supported, and for a source beyond its limit. */
  async passkeyRequest(site: SiteRecord, browser: string, request: FastifyRequest): Promise<PasskeyOffer | undefined> {
    const isWithin = await this.limits.mayOfferPasskeys(sourceOf(request.ip));
    const options = isWithin ? await this.passkeys.request(site, browser) : undefined;
    return options && { options, isFirst: usedPasskey(request) };
  }

  async attemptPasskey(at: SignInContext, { credential, browser }: PasskeyAttempt): Promise<SignInOutcome> {
    const { request, site } = at;
    const proof = await this.passkeys.prove(site, { credential, browser });
    if (proof.kind !== 'proved') {
      await this.limits.passkeyRefused({ site_id: site.site_id, source: sourceOf(request.ip) });
      return { kind: proof.kind === 'stale' ? 'passkey_stale' : 'passkey_refused' };
    }
    const { who, passkey_id } = proof;
    const email = (await this.people.byId(who.person_id))?.email ?? '';
    const isMember = await this.siteSignIn.enter(at, who, email, { method: 'passkey', passkey_id });
    return isMember ? { kind: 'signed_in', who: { ...who, amr: AMR.passkey } } : { kind: 'no_access' };
  }

  /** `check` returns the owner of the password. A wrong password is a failed sign-in, for any purpose. */
  async prove(
    { request, site }: Omit<SignInContext, 'reply'>,
    email: string,
    check: (account: string) => Promise<Authenticated | undefined>,
  ): Promise<PasswordOutcome> {
    const { site_id } = site;
    const [account, source] = [canonicalEmail(email) ?? '', sourceOf(request.ip)];
    const attempt = { account, source, site_id, device: this.devices.of(request, site, account) };
    const begun = await this.limits.begin(attempt);
    if ('retryAfter' in begun) return { kind: 'slowed_down', retryAfter: begun.retryAfter };
    const who = await check(account);
    if (who === undefined) {
      await this.siteSignIn.refuse({ request, site }, email, 'password');
      return { kind: 'refused' };
    }
    await this.limits.succeeded(attempt, begun);
    return { kind: 'signed_in', who: { ...who, amr: AMR.password } };
  }
}
