import { Injectable } from '@nestjs/common';
import { splitScope } from '@lyceum/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import type { Interaction, InteractionResults } from 'oidc-provider';
import { ENDPOINTS } from '#src/metadata/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import { saveGrant } from './accounts.js';
import { leaveProof } from './answer-proof.js';
import type { Granting } from './accounts.js';
import { Storage } from './adapters/storage.js';
import type { Engine } from './engine.js';
import { engineRequest } from './engine-request.js';
import { Engines } from './engines.js';

/** What a person is asked in the middle of an authorization. */
export interface PendingInteraction {
  readonly uid: string;
  readonly site: SiteRecord;
  readonly prompt: 'login' | 'consent';
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly login_hint: string | undefined;
  /** Who is signed in, if anybody. */
  readonly person_id: string | undefined;
}

/** Methods answer with the address at which the authorization goes on; undefined when the interaction is over or foreign. */
@Injectable()
export class Interactions {
  constructor(
    private readonly engines: Engines,
    private readonly storage: Storage,
  ) {}

  async find(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<PendingInteraction | undefined> {
    const { details } = await this.#open(request, reply, site);
    return details && describe(site, details);
  }

  /** `person_id` has proved to be there. Another person's session in this browser ends first. */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    person_id: string,
  ): Promise<string | undefined> {
    const { engine, details } = await this.#open(request, reply, site);
    if (details === undefined) return undefined;
    const { session } = details;
    if (session !== undefined && session.accountId !== person_id) {
      delete details.session;
      await details.persist();
      await this.storage.endSession(site, session.uid);
    }
    return this.#finish(
      { engine, details },
      request,
      reply,
      { login: { accountId: person_id, amr: ['pwd'], remember: true } },
      site,
    );
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
    const question = { person_id: details.session.accountId, client: { client_id }, resource: site.base_url };
    const grant = await saveGrant(engine.provider, question, granting);
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

  /** Ends the session of this browser and begins the same authorization anew. */
  async switchAccount(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<string | undefined> {
    const { details } = await this.#open(request, reply, site);
    if (details === undefined) return undefined;
    if (details.session !== undefined) await this.storage.endSession(site, details.session.uid);
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
    const answer = { ...result, proof: leaveProof(reply, site, details.uid) };
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
