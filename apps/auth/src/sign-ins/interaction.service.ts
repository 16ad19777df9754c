import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthClient } from '#src/clients/client.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { consentPage } from './consent.page.js';
import { staleInteractionPage } from '#src/pages/error.page.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import type { Page } from '#src/pages/page.js';
import { Interactions } from '#src/provider/interactions.js';
import type { OpenInteraction, PendingInteraction } from '#src/provider/open-interaction.js';
import type { SiteRecord } from '#src/sites/site.js';
import { ConsentDecisions } from './consent-decisions.js';
import type { SignInError } from './sign-in.form.js';
import { signInPage } from './sign-in.page.js';
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
}

interface Opened {
  readonly interaction: OpenInteraction;
  readonly pending: PendingInteraction;
  readonly client: OAuthClient;
}

const show = (page: Page): Step => ({ kind: 'page', page });

/** Sign-in and consent of one interaction. An expired, foreign or forged interaction ends at an error page. */
@Injectable()
export class InteractionService {
  constructor(
    private readonly interactions: Interactions,
    private readonly clients: ClientsService,
    private readonly signIns: SignInService,
    private readonly decisions: ConsentDecisions,
    private readonly csrfTokens: CsrfTokens,
  ) {}

  async show(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<Page> {
    const open = await this.#open(request, reply, site);
    if (open === undefined) return staleInteractionPage(site);
    return open.pending.prompt === 'login' ? this.#signInPage(request, open) : this.#consentPage(open);
  }

  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    { csrf, credential, ...typed }: SignInForm,
  ): Promise<Step> {
    const open = await this.#open(request, reply, site);
    if (open === undefined) return show(staleInteractionPage(site));
    if (!this.#genuine(request, open, csrf))
      return show(await this.#signInPage(request, open, typed.email, { kind: 'forged' }));
    const at = { request, reply, site };
    const outcome =
      credential === undefined
        ? await this.signIns.attempt(at, typed)
        : await this.signIns.attemptPasskey(at, { credential, browser: open.pending.uid });
    if (outcome.kind !== 'signed_in') return show(await this.#signInPage(request, open, typed.email, outcome));
    return this.#go(site, await open.interaction.signIn(outcome.who));
  }

  async decide(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    { decision, shown, csrf }: Decision,
  ): Promise<Step> {
    const open = await this.#open(request, reply, site);
    if (open === undefined) return show(staleInteractionPage(site));
    const { interaction, pending, client } = open;
    if (!this.#genuine(request, open, csrf)) return show(await this.#forged(request, open));
    if (decision === 'deny' || pending.person_id === undefined) {
      const reason = await this.decisions.deny(pending, client);
      return this.#go(site, await interaction.deny(reason));
    }
    const granting = await this.decisions.approve(pending, client, shown);
    // The person lost the roles while the page was open: the page is shown again and says so.
    if (granting === undefined) return show(await this.#consentPage(open));
    return this.#go(site, await interaction.approve(granting));
  }

  async switchAccount(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    csrf: string | undefined,
  ): Promise<Step> {
    const open = await this.#open(request, reply, site);
    if (open === undefined) return show(staleInteractionPage(site));
    if (!this.#genuine(request, open, csrf)) return show(await this.#forged(request, open));
    return this.#go(site, await open.interaction.switchAccount());
  }

  async #open(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<Opened | undefined> {
    const interaction = await this.interactions.open(request, reply, site);
    if (interaction === undefined) return undefined;
    const { pending } = interaction;
    const client = await this.clients.atSite(pending.client_id, site.site_id);
    return client && { interaction, pending, client };
  }

  #go(site: SiteRecord, location: string | undefined): Step {
    return location === undefined ? show(staleInteractionPage(site)) : { kind: 'go', location };
  }

  #genuine(request: FastifyRequest, { pending }: Opened, csrf: string | undefined): boolean {
    return this.csrfTokens.verify(pending.site, request, pending.uid, csrf);
  }

  async #signInPage(
    { ip }: FastifyRequest,
    { pending, client }: Opened,
    email?: string,
    error?: SignInError,
  ): Promise<Page> {
    const passkeyRequest = await this.signIns.passkeyRequest(pending.site, pending.uid, ip);
    return signInPage({ pending, client, csrf: this.csrfTokens.issue(pending.uid), email, error, passkeyRequest });
  }

  async #consentPage({ pending, client }: Opened, forged = false): Promise<Page> {
    const question = await this.decisions.question(pending, client);
    // The session has ended: the authorization itself asks for a new sign-in.
    if (question === undefined) return staleInteractionPage(pending.site);
    return consentPage({ pending, client, ...question, csrf: this.csrfTokens.issue(pending.uid), forged });
  }

  #forged(request: FastifyRequest, open: Opened): Promise<Page> {
    const signIn = open.pending.prompt === 'login';
    return signIn ? this.#signInPage(request, open, '', { kind: 'forged' }) : this.#consentPage(open, true);
  }
}
