import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { MailsService } from '#src/mails/mails.service.js';
import type { Authenticated } from '#src/people/authenticated.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import type { BrowserSession } from '#src/provider/authorization/browser-sessions.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { ChallengesRepository } from './challenges.repository.js';
import { receivedChallenge, authenticationResponse, parsed, registrationResponse } from './credential.schema.js';
import { PASSKEY_LIMITS, relyingPartyId, userHandle } from './passkey.policy.js';
import type { Passkey, PasskeyAnywhere } from './passkey.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { creationOptions, requestOptions, verifiedAssertion, verifiedRegistration } from './relying-party.js';
import type { RelyingParty } from './relying-party.js';

/** `stale`: the challenge was used, has expired, or belongs to another browser. */
export type PasskeyProof =
  | { readonly kind: 'proved'; readonly who: Authenticated; readonly passkey_id: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'stale' };

export type PasskeyAddition = 'added' | 'refused' | 'stale' | 'known' | 'too_many';

function relyingParty(site: SiteRecord): RelyingParty | undefined {
  const id = relyingPartyId(site);
  return id === undefined ? undefined : { id, origin: site.base_url, name: site.name };
}

/** A passkey belongs to a person and to the site where it was created, and is invalid elsewhere. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly challenges: ChallengesRepository,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
    private readonly mails: MailsService,
  ) {}

  /** The passkeys at the site; undefined where passkeys are not supported. */
  async ofPerson(site: SiteRecord, personId: string): Promise<Passkey[] | undefined> {
    return relyingParty(site) && this.passkeys.ofPerson(personId, site.site_id);
  }

  /** The passkeys of all sites, because a password reset affects all of them. */
  ofPersonAnywhere(personId: string): Promise<PasskeyAnywhere[]> {
    return this.passkeys.ofPersonAnywhere(personId);
  }

  /** Options to sign in with any passkey of the site; undefined where passkeys are not supported. */
  async request(site: SiteRecord, browser: string): Promise<object | undefined> {
    const rp = relyingParty(site);
    if (rp === undefined) return undefined;
    const challenge = randomToken();
    await this.challenges.issue(challenge, { site_id: site.site_id, ceremony: 'get', browser });
    return requestOptions(rp, challenge);
  }

  /** Options to create a passkey; undefined where passkeys are not supported. */
  async creation(site: SiteRecord, person: PersonAtSite, { uid }: BrowserSession): Promise<object | undefined> {
    const rp = relyingParty(site);
    if (rp === undefined) return undefined;
    const { person_id, email, name } = person;
    const passkeys = await this.passkeys.ofPerson(person_id, site.site_id);
    const challenge = randomToken();
    await this.challenges.issue(challenge, { site_id: site.site_id, ceremony: 'create', browser: uid });
    return creationOptions(rp, { handle: userHandle(site.site_id, person_id), email, name, passkeys }, challenge);
  }

  /**
   * Notifies the person by mail, because a thief of the password could have added it. A form that is sent twice adds
   * one passkey, and both responses say so.
   */
  async add(
    site: SiteRecord,
    { person_id, uid }: BrowserSession,
    { name, credential }: { name: string; credential: string },
  ): Promise<PasskeyAddition> {
    const { site_id } = site;
    const owner = { person_id, site_id, session: uid };
    const rp = relyingParty(site);
    const received = parsed(registrationResponse, credential);
    const challenge = received && receivedChallenge(received.response);
    if (rp === undefined || received === undefined || challenge === undefined) return 'refused';
    return this.outbox.transaction(async (manager) => {
      if (!(await this.challenges.takeIn(manager, challenge, { site_id, ceremony: 'create', browser: uid }))) {
        const isRepetition = await this.passkeys.holds(manager, owner, Buffer.from(received.id, 'base64url'));
        return isRepetition ? 'added' : 'stale';
      }
      const made = await verifiedRegistration(rp, received, challenge);
      if (made === undefined) return 'refused';
      const held = await this.passkeys.countHeld(manager, owner);
      if (held === undefined) return 'stale';
      if (held >= PASSKEY_LIMITS.perPerson) return 'too_many';
      const passkey_id = await this.passkeys.insert(manager, owner, name, made);
      if (passkey_id === undefined) return 'known';
      await this.audit.record({ event: 'passkey.added', site_id, person_id, details: { passkey_id } }, manager);
      await this.mails.add(manager, { kind: 'passkey_added', site_id, person_id, passkeys: [name] });
      return 'added';
    });
  }

  /** The same result for an unknown passkey, one of another site or of a suspended person, and a wrong signature. */
  async prove(
    site: SiteRecord,
    { browser, credential }: { browser: string; credential: string },
  ): Promise<PasskeyProof> {
    const { site_id } = site;
    const rp = relyingParty(site);
    const received = parsed(authenticationResponse, credential);
    const challenge = received && receivedChallenge(received.response);
    if (rp === undefined || received === undefined || challenge === undefined) return { kind: 'refused' };
    if (!(await this.challenges.take(challenge, { site_id, ceremony: 'get', browser }))) return { kind: 'stale' };
    const stored = await this.passkeys.find(site_id, Buffer.from(received.id, 'base64url'));
    if (stored === undefined) return { kind: 'refused' };
    const { person_id, sign_outs, passkey_id } = stored;
    const isTheirs = userHandle(site_id, person_id).toString('base64url') === received.response.userHandle;
    const used = isTheirs ? await verifiedAssertion(rp, received, challenge, stored) : undefined;
    if (used === undefined) return { kind: 'refused' };
    if (await this.passkeys.use(site_id, passkey_id, used.sign_count, used.backed_up)) {
      return { kind: 'proved', who: { person_id, sign_outs }, passkey_id };
    }
    // §6.1.1: the authenticator may have been cloned.
    const details = { passkey_id, stored: stored.sign_count, given: used.sign_count };
    await this.audit.record({ event: 'passkey.count_went_back', site_id, person_id, details });
    return { kind: 'refused' };
  }

  /** Ignores a passkey of another person. */
  rename(personId: string, siteId: string, passkeyId: string, name: string): Promise<void> {
    return this.passkeys.rename(personId, siteId, passkeyId, name);
  }

  /** Notifies the person by mail. Ignores an unknown passkey and one of another person. */
  async remove({ site_id }: SiteRecord, { person_id }: PersonAtSite, passkey_id: string): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      const name = await this.passkeys.remove(manager, person_id, site_id, passkey_id);
      if (name === undefined) return;
      await this.audit.record({ event: 'passkey.removed', site_id, person_id, details: { passkey_id } }, manager);
      await this.mails.add(manager, { kind: 'passkey_removed', site_id, person_id, passkeys: [name] });
    });
  }

  /** Removes the other passkeys of a person at a password reset, at all sites. Returns their names. */
  async removeAllBut(manager: EntityManager, person_id: string, keep: readonly string[]): Promise<string[]> {
    const removed = await this.passkeys.removeAllBut(manager, person_id, keep);
    for (const { passkey_id, site_id } of removed) {
      const details = { passkey_id, reason: 'password_reset' };
      await this.audit.record({ event: 'passkey.removed', site_id, person_id, details }, manager);
    }
    return removed.map(({ name }) => name);
  }
}
