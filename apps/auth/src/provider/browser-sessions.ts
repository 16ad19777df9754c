import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '#src/people/authenticated.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { sessionCookie } from './engine.configuration.js';
import { openSession, sessionPayload } from './engine.internals.js';
import { engineRequest } from './engine-request.js';
import { BrowserRepository } from './browser.repository.js';
import { Engines } from './engines.js';
import type { LiveSession } from './live-session.js';

/** More than any person has; signing out everywhere ends further ones too. */
const SHOWN = 50;

/** A person who is signed in at a site with this browser. */
export interface BrowserSession {
  readonly person_id: string;
  /** The id that form tokens are bound to; the cookie has another value. */
  readonly uid: string;
}

/** The engine's sessions, for the pages beside it: one sign-in serves both. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly engines: Engines,
    private readonly browser: BrowserRepository,
  ) {}

  async of(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<BrowserSession | undefined> {
    const { session } = await this.#open(request, reply, site);
    return session.accountId === undefined ? undefined : { person_id: session.accountId, uid: session.uid };
  }

  /**
   * Always creates a new name, so an earlier cookie becomes invalid. False when all sessions of the person have ended
   * since the sign-in was checked.
   */
  async begin(request: FastifyRequest, reply: FastifyReply, site: SiteRecord, who: SignedIn): Promise<boolean> {
    const { site_id } = site;
    const { context, session: previous } = await this.#open(request, reply, site);
    const [id, uid, iat] = [randomToken(), randomToken(), Math.floor(Date.now() / 1000)];
    const exp = iat + LIFETIMES.session;
    const payload = sessionPayload({ uid, iat, exp, accountId: who.person_id, amr: who.amr });
    if (!(await this.browser.beginSession({ site_id, id, uid, payload, expires_at: exp }, who))) return false;
    const { accountId } = previous;
    if (accountId !== undefined) await this.browser.endSession(accountId, site_id, previous.uid, 'replaced');
    const { name, options } = sessionCookie(site);
    context.cookies.set(name, id, { ...options, expires: new Date(exp * 1000) });
    return true;
  }

  async end(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<void> {
    const { context, session } = await this.#open(request, reply, site);
    const { accountId, uid } = session;
    if (accountId !== undefined) await this.browser.endSession(accountId, site.site_id, uid, 'signed_out');
    const { name, options } = sessionCookie(site);
    context.cookies.set(name, null, options);
  }

  /** The sessions of the person at the site: the current one first, then the latest used. */
  live({ person_id, uid }: BrowserSession, siteId: string): Promise<LiveSession[]> {
    return this.browser.sessionsOfPerson(person_id, siteId, uid, SHOWN);
  }

  /** Idempotent: ignores an ended session and one of another person. Grants of applications stay. */
  endOne(personId: string, siteId: string, uid: string): Promise<void> {
    return this.browser.endSession(personId, siteId, uid, 'signed_out');
  }

  async #open(request: FastifyRequest, reply: FastifyReply, site: SiteRecord) {
    const { provider } = await this.engines.of(site);
    return openSession(provider, engineRequest(site, request, request.url), reply.raw);
  }
}
