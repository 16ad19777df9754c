import { queryOf } from '@lyceum/platform';
import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasNul, readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { send } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { AccountChooser } from './account-chooser.service.js';

/** The choice of an account, before an authorization request with `prompt=select_account` goes on. */
@Controller(ENDPOINTS.accounts)
@UseFilters(OAuthErrorFilter)
export class AccountChooserController {
  constructor(private readonly chooser: AccountChooser) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = queryOf(request.url);
    if (hasNul(query)) throw new OAuthError(400, 'invalid_request', 'Remove the NUL from the parameters');
    send(reply, await this.chooser.show({ request, reply, site: siteOf(request) }, query));
  }

  @Post()
  async choose(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const choice = {
      csrf: single(form, 'csrf'),
      account: single(form, 'account') ?? '',
      query: single(form, 'query') ?? '',
    };
    send(reply, await this.chooser.choose({ request, reply, site: siteOf(request) }, choice));
  }
}
