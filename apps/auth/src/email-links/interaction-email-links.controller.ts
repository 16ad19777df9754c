import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { staleInteractionPage } from '#src/pages/error.page.js';
import { send, sendPage } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { SIGN_IN_LINK, SIGN_UP } from '#src/protocol/paths.js';
import { Interactions } from '#src/provider/authorization/interactions.js';
import { EmailLinkForms } from './email-link-forms.service.js';
import type { EmailLinkPlace } from './email-link-forms.service.js';

/** Requests for a link by email, from the sign-in page of an authorization request. */
@Controller(`${ENDPOINTS.interaction}/:uid`)
@UseFilters(OAuthErrorFilter)
export class InteractionEmailLinksController {
  constructor(
    private readonly forms: EmailLinkForms,
    private readonly interactions: Interactions,
  ) {}

  @Get([SIGN_UP, SIGN_IN_LINK])
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const place = await this.#place(request, reply);
    sendPage(reply, place === undefined ? staleInteractionPage(siteOf(request)) : this.forms.show(place));
  }

  @Post([SIGN_UP, SIGN_IN_LINK])
  async submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const place = await this.#place(request, reply);
    if (place === undefined) return sendPage(reply, staleInteractionPage(siteOf(request)));
    send(reply, await this.forms.submit(place));
  }

  /** Undefined for an interaction that is over, foreign, or already past the sign-in. */
  async #place(request: FastifyRequest, reply: FastifyReply): Promise<EmailLinkPlace | undefined> {
    const site = siteOf(request);
    const { pending, client } = (await this.interactions.open(request, reply, site)) ?? {};
    if (pending === undefined || pending.prompt === 'consent' || client === undefined) return undefined;
    const interaction = { uid: pending.uid, client: client.name, email: pending.login_hint ?? '' };
    return { request, reply, site, interaction };
  }
}
