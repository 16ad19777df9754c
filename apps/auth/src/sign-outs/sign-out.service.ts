import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import { ClientsService } from '#src/clients/clients.service.js';
import { allowsRedirect } from '#src/clients/redirect-uri.policy.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { authorizationErrorPage, staleFormPage } from '#src/pages/error.page.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { PeopleService } from '#src/people/people.service.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import type { BrowserSession } from '#src/provider/authorization/browser-sessions.js';
import type { SiteRecord } from '#src/sites/site.js';
import { confirmPage } from './sign-out.page.js';
import type { SignOutRequest } from './sign-out-request.js';

/** The URL to continue at, or a page. */
type SignOutStep = string | Page;

interface Hint {
  readonly sub: unknown;
  readonly client_id: string;
}

export const SIGNED_OUT = `${ENDPOINTS.endSession}/done`;
const purpose = (held: readonly BrowserSession[]): string => `sign-out:${held.map(({ uid }) => uid).join(' ')}`;

/**
 * Ends the session of a browser for an application. The engine's own logout needs a script at sign-out, and ends
 * sessions without their audit entry (ADR 16, ADR 24).
 */
@Injectable()
export class SignOutService {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly clients: ClientsService,
    private readonly people: PeopleService,
    private readonly keys: KeyRing,
    private readonly csrfTokens: CsrfTokens,
  ) {}

  /**
   * Ends the sessions of the browser at once when `id_token_hint` belongs to the signed-in person. Without one it may
   * belong to a parked account. Otherwise the person confirms.
   */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    { id_token_hint, ...signOut }: SignOutRequest & { readonly id_token_hint: string | undefined },
  ): Promise<SignOutStep> {
    const hint = id_token_hint === undefined ? undefined : await this.#hint(site, id_token_hint);
    if (hint !== undefined && signOut.client_id !== undefined && signOut.client_id !== hint.client_id) {
      return refused(site, 'client_id is not the one of id_token_hint');
    }
    const complete = { ...signOut, client_id: signOut.client_id ?? hint?.client_id };
    const target = await this.#target(site, complete);
    if (typeof target !== 'string') return target;
    const held = await this.sessions.all(request, reply, site);
    if (held.length === 0) return target;
    const current = await this.sessions.of(request, reply, site);
    if (!(await this.#isHintOf(site, hint, current === undefined ? held : [current]))) {
      return confirmPage(site, complete, this.csrfTokens.issue(purpose(held)));
    }
    await this.sessions.end(request, reply, site);
    return target;
  }

  async confirm(
    request: FastifyRequest,
    reply: FastifyReply,
    site: SiteRecord,
    { csrf, ...signOut }: SignOutRequest & { readonly csrf: string | undefined },
  ): Promise<SignOutStep> {
    const held = await this.sessions.all(request, reply, site);
    const isGenuine = held.length === 0 || this.csrfTokens.verify(site, request, purpose(held), csrf);
    if (!isGenuine) return staleFormPage(site);
    const target = await this.#target(site, signOut);
    if (typeof target === 'string' && held.length > 0) await this.sessions.end(request, reply, site);
    return target;
  }

  async #isHintOf(site: SiteRecord, hint: Hint | undefined, sessions: readonly BrowserSession[]): Promise<boolean> {
    if (hint === undefined) return false;
    const members = await Promise.all(sessions.map(({ person_id }) => this.people.atSite(person_id, site.site_id)));
    return members.some((member) => member !== undefined && member.member_id === hint.sub);
  }

  /** A hint that no key of this deployment signed counts as missing. */
  async #hint(site: SiteRecord, token: string): Promise<Hint | undefined> {
    const { iss, aud, sub } = (await this.keys.claimsOf(token)) ?? {};
    return iss === site.base_url && typeof aud === 'string' ? { sub, client_id: aud } : undefined;
  }

  /** The target after the sign-out. Only registered URIs are followed. */
  async #target(site: SiteRecord, signOut: SignOutRequest): Promise<SignOutStep> {
    const { client_id, post_logout_redirect_uri, state } = signOut;
    if (post_logout_redirect_uri === undefined) return SIGNED_OUT;
    const client = client_id === undefined ? undefined : await this.clients.atSite(client_id, site.site_id);
    if (client === undefined) return refused(site, 'post_logout_redirect_uri needs an id_token_hint or a client_id');
    if (!allowsRedirect(client.post_logout_redirect_uris, post_logout_redirect_uri)) {
      return refused(site, 'post_logout_redirect_uri is not registered for this client');
    }
    if (state === undefined) return post_logout_redirect_uri;
    const separator = post_logout_redirect_uri.includes('?') ? '&' : '?';
    return `${post_logout_redirect_uri}${separator}${new URLSearchParams({ state }).toString()}`;
  }
}

const refused = (site: SiteRecord, error_description: string): Page =>
  authorizationErrorPage(site, { error: 'invalid_request', error_description });
