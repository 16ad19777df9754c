import { requestedTags } from '@lyceum/messages';
import { readAs } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthSettings } from '#src/auth.environment.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import { BrowserRepository } from '../browser-state/browser.repository.js';
import { Decisions } from '../browser-state/decisions.js';
import { Engines } from '../engine/engines.js';
import { Approvals } from '../engine/approvals.js';
import { isOfSession } from '../engine/engine.internals.js';
import { authorizationUrl, interactionOfCookie, OpenInteraction, readInteraction } from './open-interaction.js';
import type { InteractionContext, OpenedInteraction } from './open-interaction.js';
import { decisionSecret, issueResumeProof, proves } from '../engine/resume-proof.js';
import { signInFromSession } from './session-sign-in.js';

@Injectable()
export class Interactions {
  constructor(
    private readonly engines: Engines,
    private readonly browser: BrowserRepository,
    private readonly approvals: Approvals,
    private readonly decisions: Decisions,
    private readonly settings: AuthSettings,
  ) {}

  /** Undefined when the interaction is over or foreign. `show`: reads all that its page shows, too. */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    purpose: 'open' | 'show' = 'open',
  ): Promise<OpenInteraction | undefined> {
    const context = await this.#context(request, reply, site);
    return this.#opened(context, await readInteraction(context, purpose));
  }

  /**
   * Opens the interaction for its first decision. Undefined when it is over or foreign, and for any further decision,
   * which waits for the first and goes where it went.
   */
  async claim(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<OpenInteraction | undefined> {
    const context = await this.#context(request, reply, site);
    const claimed = await interactionOfCookie(context, 'claim');
    if (claimed === undefined) return undefined;
    const { client, details, session_person } = claimed;
    if (client !== undefined && isOfSession(details, session_person)) return this.#opened(context, claimed);
    await this.decisions.release(site, details.uid);
    return undefined;
  }

  /**
   * The URL of the first decision's response, for a repeated decision. Undefined without one. Only the browser of the
   * first decision can open it.
   */
  async repeated(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<string | undefined> {
    const uid = uidOf(request);
    const decided = await this.decisions.decided(site, uid);
    if (decided === undefined) return undefined;
    // The first response may not have arrived. The session has another cookie when it has.
    const secrets = this.settings.values.COOKIE_KEYS.map((key) => decisionSecret(request, site, uid, key));
    const secret = secrets.find((one) => proves(one, decided.payload.result));
    if (secret !== undefined) issueResumeProof(reply, site, uid, secret);
    return `${ENDPOINTS.authorization}/${uid}`;
  }

  /**
   * The URL at which the authorization starts again, for a repeated change of the account: the first one ended the
   * session or the interaction. Undefined after a decision.
   */
  async switched(request: FastifyRequest, site: SiteRecord): Promise<string | undefined> {
    const found = await this.decisions.find(site, uidOf(request));
    const isSwitched = found?.repeatable === true && !found.claimed && found.payload.result === undefined;
    return isSwitched ? authorizationUrl(site, found.payload.params ?? {}) : undefined;
  }

  /** The redirect URI of an interaction that has ended. Undefined for an unknown one. */
  endedFor(request: FastifyRequest, site: SiteRecord): Promise<string | undefined> {
    return this.decisions.endedFor(site, uidOf(request));
  }

  /** The URL at which the authorization continues with the session of this browser. Undefined without a new one. */
  async signInFromSession(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<string | undefined> {
    return signInFromSession(await this.#context(request, reply, site));
  }

  #opened(context: InteractionContext, opened: OpenedInteraction | undefined): OpenInteraction | undefined {
    const requested = requestedTags(opened?.details.params['ui_locales']);
    if (requested.length > 0) readAs({ requested });
    return opened && new OpenInteraction(context, opened);
  }

  async #context(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<InteractionContext> {
    const { approvals, browser, decisions } = this;
    const engine = await this.engines.of(site);
    return { request, reply, site, engine, approvals, browser, decisions, key: this.#key };
  }

  get #key(): string {
    return this.settings.values.COOKIE_KEYS[0] ?? '';
  }
}

function uidOf({ params }: FastifyRequest): string {
  return (params as { uid?: string }).uid ?? '';
}
