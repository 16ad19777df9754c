import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import type { OAuthClient } from '#src/clients/client.js';
import { consentPage } from './consent.page.js';
import { staleInteractionPage } from '#src/pages/error.page.js';
import { Notices } from '#src/notices/notices.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { answeredPage } from '#src/provider/engine/answered.page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { SIGN_UP } from '#src/protocol/paths.js';
import { Interactions } from '#src/provider/authorization/interactions.js';
import type { OpenInteraction, PendingInteraction } from '#src/provider/authorization/open-interaction.js';
import type { SiteRecord } from '#src/sites/site.js';
import { clientBase } from './client-origin.policy.js';
import { ConsentDecisions } from './consent-decisions.js';
import { signInPage } from './sign-in.page.js';
import type { SignInView } from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';

/** The next step of the browser: a page, or a redirect. */
export type Step = { readonly kind: 'page'; readonly page: Page } | { readonly kind: 'go'; readonly location: string };

/** The fields of the sign-in page. */
export interface SignInForm {
  readonly csrf: string | undefined;
  readonly email: string;
  readonly password: string;
  /** The passkey response of the browser. */
  readonly credential: string | undefined;
}

/** The fields of the consent page. */
export interface Decision {
  readonly csrf: string | undefined;
  readonly decision: 'approve' | 'deny';
  /** The scopes on the page. */
  readonly shown: readonly string[];
  /** The values of the client on the page. Undefined for a denial, and on pages of release 0.1.0. */
  readonly base: string | undefined;
}

interface Opened {
  readonly interaction: OpenInteraction;
  readonly pending: PendingInteraction;
  readonly client: OAuthClient;
}

const show = (page: Page): Step => ({ kind: 'page', page });
const uidOf = ({ params }: FastifyRequest): string => (params as { uid?: string }).uid ?? '';

/** Undefined when the site has deleted or blocked the client. */
function openedOf(interaction: OpenInteraction): Opened | undefined {
  const { pending, client } = interaction;
  return client && { interaction, pending, client };
}

/** Sign-in and consent of one interaction. An expired, foreign or forged interaction ends at an error page. */
@Injectable()
export class InteractionService {
  constructor(
    private readonly interactions: Interactions,
    private readonly signIns: SignInService,
    private readonly decisions: ConsentDecisions,
    private readonly csrfTokens: CsrfTokens,
    private readonly notices: Notices,
  ) {}

  /** `page`: the sign-in in place of the sign-up. */
  async show(request: FastifyRequest, reply: FastifyReply, site: SiteRecord, page?: 'sign-in'): Promise<Step> {
    const open = await this.#open(request, reply, site, 'show');
    if (open === undefined) return show(await this.#over(request, site));
    const { prompt, uid } = open.pending;
    if (prompt === 'create' && page === undefined) return this.#go(site, `${ENDPOINTS.interaction}/${uid}/${SIGN_UP}`);
    if (prompt === 'consent') return show(await this.#consentPage(open));
    // After a sign-up link of this interaction that gave access to an existing account.
    const notice = this.notices.take(request, reply, { site, person: undefined });
    return show(await this.#signInPage(request, open, { notice }));
  }

  /** Continues with the session of this browser if it began after the request, otherwise with the sign-in page. */
  async continue(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<Step> {
    const location = await this.interactions.signInFromSession(request, reply, site);
    return location === undefined ? this.show(request, reply, site) : this.#go(site, location);
  }

  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    { csrf, credential, ...typed }: SignInForm,
  ): Promise<Step> {
    const open = await this.#open(request, reply, site);
    if (open === undefined) return this.#again(request, reply, site, csrf);
    if (!this.#genuine(request, open, csrf))
      return show(await this.#signInPage(request, open, { email: typed.email, error: { kind: 'forged' } }));
    const at = { request, reply, site };
    const outcome =
      credential === undefined
        ? await this.signIns.attempt(at, typed)
        : await this.signIns.attemptPasskey(at, { credential, browser: open.pending.uid });
    if (outcome.kind !== 'signed_in') {
      return show(await this.#signInPage(request, open, { email: typed.email, error: outcome }));
    }
    return this.#go(site, await open.interaction.signIn(outcome.who));
  }

  async decide(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    { csrf, ...decided }: Decision,
  ): Promise<Step> {
    if (!this.csrfTokens.verify(site, request, uidOf(request), csrf)) {
      const open = await this.#open(request, reply, site, 'show');
      return show(open === undefined ? await this.#over(request, site) : await this.#forged(request, open));
    }
    const interaction = await this.interactions.claim(request, reply, site);
    const open = interaction && openedOf(interaction);
    if (interaction === undefined || open === undefined) return this.#again(request, reply, site, csrf);
    try {
      const step = await this.#decided(open, decided);
      if (step.kind === 'page') await interaction.release();
      return step;
    } catch (error) {
      await interaction.release();
      throw error;
    }
  }

  async #decided(open: Opened, { decision, shown, base }: Omit<Decision, 'csrf'>): Promise<Step> {
    const { interaction, pending, client } = open;
    const { site } = pending;
    if (decision === 'deny' || pending.person_id === undefined) {
      const reason = await this.decisions.deny(pending, client);
      return this.#go(site, await interaction.deny(reason));
    }
    const who = interaction.approver;
    if (who === undefined) return this.#go(site, undefined);
    const granting = this.decisions.granting(who, pending, client, shown);
    const isSame = base === undefined || base === clientBase(client);
    // The person lost the roles, or the client was changed, while the page was open: it is shown again and says so.
    if (granting === undefined || !isSame) return show(await this.#consentPage(open));
    return this.#go(site, await interaction.approve(who, granting));
  }

  async switchAccount(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    csrf: string | undefined,
  ): Promise<Step> {
    const open = await this.#open(request, reply, site);
    const isGenuine = this.csrfTokens.verify(site, request, uidOf(request), csrf);
    if (!isGenuine) return show(await (open === undefined ? this.#over(request, site) : this.#forged(request, open)));
    const switched = await open?.interaction.switchAccount();
    const location = switched ?? (await this.interactions.switched(request, site));
    return location === undefined ? this.#again(request, reply, site, csrf) : { kind: 'go', location };
  }

  async #open(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    purpose: 'open' | 'show' = 'open',
  ): Promise<Opened | undefined> {
    const interaction = await this.interactions.open(request, reply, site, purpose);
    return interaction && openedOf(interaction);
  }

  /** A form that was sent twice: goes where the first one went. */
  async #again(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    csrf: string | undefined,
  ): Promise<Step> {
    const isGenuine = this.csrfTokens.verify(site, request, uidOf(request), csrf);
    const location = isGenuine ? await this.interactions.repeated(request, reply, site) : undefined;
    return location === undefined ? show(await this.#over(request, site)) : { kind: 'go', location };
  }

  async #over(request: FastifyRequest, site: SiteRecord): Promise<Page> {
    const redirectUri = await this.interactions.endedFor(request, site);
    return redirectUri === undefined ? staleInteractionPage(site) : answeredPage(site, redirectUri);
  }

  #go(site: SiteRecord, location: string | undefined): Step {
    return location === undefined ? show(staleInteractionPage(site)) : { kind: 'go', location };
  }

  #genuine(request: FastifyRequest, { pending }: Opened, csrf: string | undefined): boolean {
    return this.csrfTokens.verify(pending.site, request, pending.uid, csrf);
  }

  async #signInPage(
    request: FastifyRequest,
    { pending, client }: Opened,
    more: Pick<SignInView, 'email' | 'error' | 'notice'>,
  ): Promise<Page> {
    const passkeyRequest = await this.signIns.passkeyRequest(pending.site, pending.uid, request);
    return signInPage({ ...more, pending, client, csrf: this.csrfTokens.issue(pending.uid), passkeyRequest });
  }

  async #consentPage({ interaction, pending, client }: Opened, forged = false): Promise<Page> {
    const question = await this.decisions.question(pending, client, interaction.asked);
    // The session has ended: the authorization itself asks for a new sign-in.
    if (question === undefined) return staleInteractionPage(pending.site);
    return consentPage({ pending, client, ...question, csrf: this.csrfTokens.issue(pending.uid), forged });
  }

  #forged(request: FastifyRequest, open: Opened): Promise<Page> {
    if (open.pending.prompt === 'consent') return this.#consentPage(open, true);
    return this.#signInPage(request, open, { email: '', error: { kind: 'forged' } });
  }
}
