import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { send, sendPage } from '#src/pages/page.js';
import { ACCOUNT, SIGN_IN_LINK, SIGN_UP } from '#src/protocol/paths.js';
import { EmailLinkForms } from './email-link-forms.service.js';

/** Requests for a link by email, without an authorization request. */
@Controller(ACCOUNT)
@UseFilters(OAuthErrorFilter)
export class AccountEmailLinksController {
  constructor(private readonly forms: EmailLinkForms) {}

  @Get([SIGN_UP, SIGN_IN_LINK])
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(reply, this.forms.show({ request, reply, site: siteOf(request) }));
  }

  @Post([SIGN_UP, SIGN_IN_LINK])
  async submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.forms.submit({ request, reply, site: siteOf(request) }));
  }

  @Get([`${SIGN_UP}/sent`, `${SIGN_IN_LINK}/sent`])
  sent(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(reply, this.forms.sent({ request, reply, site: siteOf(request) }));
  }
}
