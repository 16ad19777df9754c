import { Injectable } from '@nestjs/common';
import { splitScope } from '@lyceum/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import type { Interaction, InteractionResults } from 'oidc-provider';
import type { SignedIn } from '#src/people/authenticated.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import { issueResumeProof } from './resume-proof.js';
import { BrowserRepository } from './browser.repository.js';
import type { Engine } from './engine.js';
import { engineRequest } from './engine-request.js';
import { Engines } from './engines.js';
import { loginOf } from './fresh-sign-in.js';
import { NewGrants } from './new-grants.js';
import type { Granting } from './new-grants.js';

/** A question to the person during an authorization. */
export interface PendingInteraction {
  readonly uid: string;
  readonly site: SiteRecord;
  readonly prompt: 'login' | 'consent';
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly login_hint: string | undefined;
  /** The signed-in person. */
  readonly person_id: string | undefined;
}

/** Methods return the URL at which the authorization continues; undefined when the interaction is over or foreign. */
@Injectable()
export class Interactions {
  constructor(
    private readonly engines: Engines,
    private readonly browser: BrowserRepository,
    private readonly newGrants: NewGrants,
  ) {}

  async find(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<PendingInteraction | undefined> {
    const { details } = await this.#open(request, reply, site);
    return details && describe(site, details);
  }

  /** `who` has authenticated. Another person's session in this browser ends first. */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    who: SignedIn,
  ): Promise<string | undefined> {
    const { engine, details } = await this.#open(request, reply, site);
    if (details === undefined) return undefined;
    const { session } = details;
    if (session !== undefined && session.accountId !== who.person_id) {
      delete details.session;
      await details.persist();
      await this.browser.endSession(session.accountId, site.site_id, session.uid, 'replaced');
    }
    return this.#finish({ engine, details }, request, reply, { login: loginOf(who) }, site);
  }

  async approve(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    granting: Granting,
  ): Promise<string | undefined> {
    const { engine, details } = await this.#open(request, reply, site);
    if (details?.session === undefined) return undefined;
    const { client_id } = describe(site, details);
    const who = await this.browser.signedIn(site.site_id, details.session.uid);
    const grant = who && (await this.newGrants.make(engine.provider, site, who, { client_id, ...granting }));
    if (grant === undefined) return undefined;
    return this.#finish({ engine, details }, request, reply, { consent: { grantId: grant.jti } }, site);
  }

  async deny(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    description: string,
  ): Promise<string | undefined> {
    const { engine, details } = await this.#open(request, reply, site);
    if (details === undefined) return undefined;
    return this.#finish(
      { engine, details },
      request,
      reply,
      { error: 'access_denied', error_description: description },
      site,
    );
  }

  /** Ends the session of this browser and starts the same authorization again. */
  async switchAccount(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<string | undefined> {
    const { details } = await this.#open(request, reply, site);
    if (details === undefined) return undefined;
    const { session } = details;
    if (session !== undefined) {
      await this.browser.endSession(session.accountId, site.site_id, session.uid, 'replaced');
    }
    await details.destroy();
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(details.params)) {
      for (const item of [value].flat()) if (typeof item === 'string') query.append(name, item);
    }
    return `${site.base_url}${ENDPOINTS.authorization}?${query.toString()}`;
  }

  async #open(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
  ): Promise<{ engine: Engine; details: Interaction | undefined }> {
    const engine = await this.engines.of(site);
    try {
      const details = await engine.interaction(engineRequest(site, request, request.url), reply.raw);
      const { uid } = request.params as { uid?: string };
      return { engine, details: details.uid === uid ? details : undefined };
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return { engine, details: undefined };
      throw error;
    }
  }

  #finish(
    { engine, details }: { engine: Engine; details: Interaction },
    request: FastifyRequest,
    reply: FastifyReply,
    result: InteractionResults,
    site: SiteRecord,
  ): Promise<string> {
    const answer = { ...result, proof: issueResumeProof(reply, site, details.uid) };
    return engine.provider.interactionResult(engineRequest(site, request, request.url), reply.raw, answer);
  }
}

function describe(site: SiteRecord, details: Interaction): PendingInteraction {
  const text = (name: string): string => {
    const value = details.params[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    uid: details.uid,
    site,
    prompt: details.prompt.name === 'login' ? 'login' : 'consent',
    client_id: text('client_id'),
    redirect_uri: text('redirect_uri'),
    scopes: splitScope(text('scope')),
    login_hint: text('login_hint') || undefined,
    person_id: details.session?.accountId,
  };
}
