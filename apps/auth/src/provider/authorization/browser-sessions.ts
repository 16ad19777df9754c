import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '#src/people/authenticated.js';
import { readCookie } from '#src/edge/cookies.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { sessionCookie } from '../browser-state/session-cookie.js';
import { openSession, sessionPayload } from '../engine/engine.internals.js';
import { engineRequest } from '../engine/engine-request.js';
import { BrowserRepository } from '../browser-state/browser.repository.js';
import { Engines } from '../engine/engines.js';
import type { ActiveSession } from '../browser-state/active-session.js';
import { park, parkedIds } from '../browser-state/parked-sessions.js';

/** More than any person has; signing out everywhere ends further ones too. */
const SHOWN = 50;

/** A person who is signed in at a site with this browser. */
export interface BrowserSession {
  readonly person_id: string;
  /** The id that form tokens are bound to; the cookie has another value. */
  readonly uid: string;
}

interface HeldSession extends BrowserSession {
  /** The value of the cookie. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly exp: number;
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
    const begun = { site_id, id, uid, payload, expires_at: exp };
    if (!(await this.browser.beginSession(begun, who, request.headers['user-agent']))) return false;
    const { accountId } = previous;
    if (accountId !== undefined) await this.browser.endSession(accountId, site_id, previous.uid, 'replaced');
    const { name, options } = sessionCookie(site);
    context.cookies.set(name, id, { ...options, expires: new Date(exp * 1000) });
    return true;
  }

  /** Ends the sessions of all accounts of this browser. */
  async end(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<void> {
    const { context } = await this.#open(request, reply, site);
    for (const { person_id, uid } of await this.#held(request, reply, site)) {
      await this.browser.endSession(person_id, site.site_id, uid, 'signed_out');
    }
    park(request, reply, site, []);
    const { name, options } = sessionCookie(site);
    context.cookies.set(name, null, options);
  }

  /** The live sessions of all accounts of this browser, the current one first. */
  async all(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<BrowserSession[]> {
    return (await this.#held(request, reply, site)).map(({ person_id, uid }) => ({ person_id, uid }));
  }

  /** Parks the current session, so that another account can sign in. */
  async leave(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<void> {
    const { context } = await this.#open(request, reply, site);
    park(
      request,
      reply,
      site,
      (await this.#held(request, reply, site)).map(({ id }) => id),
    );
    const { name, options } = sessionCookie(site);
    context.cookies.set(name, null, options);
  }

  /** Continues with one of the sessions of this browser, and parks the current one. False when it has ended. */
  async choose(request: FastifyRequest, reply: FastifyReply, site: SiteRecord, uid: string): Promise<boolean> {
    const held = await this.#held(request, reply, site);
    const chosen = held.find((one) => one.uid === uid);
    if (chosen === undefined) return false;
    const others = held.filter((one) => one !== chosen);
    park(
      request,
      reply,
      site,
      others.map(({ id }) => id),
    );
    const { context } = await this.#open(request, reply, site);
    const { name, options } = sessionCookie(site);
    context.cookies.set(name, chosen.id, { ...options, expires: new Date(chosen.exp * 1000) });
    return true;
  }

  /** The sessions of the person at the site: the current one first, then the latest used. */
  live({ person_id, uid }: BrowserSession, siteId: string): Promise<ActiveSession[]> {
    return this.browser.sessionsOfPerson(person_id, siteId, uid, SHOWN);
  }

  /** Idempotent: ignores an ended session and one of another person. Grants of applications stay. */
  endOne(personId: string, siteId: string, uid: string): Promise<void> {
    return this.browser.endSession(personId, siteId, uid, 'signed_out');
  }

  async #held(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<HeldSession[]> {
    const { session } = await this.#open(request, reply, site);
    const cookie = session.accountId === undefined ? undefined : readCookie(request, sessionCookie(site).name);
    const ids = [...new Set([...(cookie === undefined ? [] : [cookie]), ...parkedIds(request, site)])];
    const found = await Promise.all(
      ids.map(async (id) => ({ id, payload: await this.browser.session(site.site_id, id) })),
    );
    return found.flatMap(({ id, payload }) =>
      payload?.accountId === undefined
        ? []
        : [{ id, uid: payload.uid ?? '', person_id: payload.accountId, exp: payload.exp ?? 0 }],
    );
  }

  async #open(request: FastifyRequest, reply: FastifyReply, site: SiteRecord) {
    const { provider } = await this.engines.of(site);
    return openSession(provider, engineRequest(site, request, request.url), reply.raw);
  }
}
