import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { FormTokens } from '#src/pages/form-token.js';
import { sendPage } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { invitationDonePage, invitationOverPage, invitationPage } from './invitation.page.js';
import { INVITATION_PATH, InvitationsService } from './invitations.service.js';

@Controller(`${INVITATION_PATH}/:token`)
@UseFilters(OAuthErrorFilter)
export class InvitationController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly formTokens: FormTokens,
  ) {}

  @Get()
  async show(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPage(reply, await this.#page(request, token));
  }

  @Post()
  async accept(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const site = siteOf(request);
    const form = await readForm(request);
    if (!this.formTokens.verify(site, request, token, single(form, 'csrf'))) {
      return sendPage(
        reply,
        await this.#page(request, token, 'The form did not come from this page. Please try again.'),
      );
    }
    try {
      const accepted = await this.invitations.accept(site, token, single(form, 'password') ?? '');
      sendPage(reply, accepted ? invitationDonePage(site) : invitationOverPage(site));
    } catch (error) {
      if (!(error instanceof Outcome) || error.code !== 'validation_failed') throw error;
      sendPage(reply, await this.#page(request, token, error.message));
    }
  }

  async #page(request: FastifyRequest, token: string, fault?: string): Promise<Page> {
    const site = siteOf(request);
    const invitation = await this.invitations.find(site, token);
    if (invitation === undefined) return invitationOverPage(site);
    const csrf = this.formTokens.issue(token);
    return invitationPage(site, { email: invitation.email, csrf, ...(fault === undefined ? {} : { fault }) });
  }
}
