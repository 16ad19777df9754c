import { queryOf } from '@lyceum/platform';
import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasNul, readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { go, send, sendPage } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { signedOutPage } from './sign-out.page.js';
import { SIGNED_OUT, SignOutService } from './sign-out.service.js';
import type { SignOutRequest } from './sign-out-request.js';

function requestOf(parameters: URLSearchParams): SignOutRequest {
  return {
    client_id: single(parameters, 'client_id'),
    post_logout_redirect_uri: single(parameters, 'post_logout_redirect_uri'),
    state: single(parameters, 'state'),
  };
}

/** `end_session_endpoint`: applications send the browser here to sign the person out. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class SignOutController {
  constructor(private readonly signOuts: SignOutService) {}

  @Get(ENDPOINTS.endSession)
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = queryOf(request.url);
    if (hasNul(query)) throw new OAuthError(400, 'invalid_request', 'Remove the NUL from the parameters');
    const parameters = new URLSearchParams(query);
    const id_token_hint = single(parameters, 'id_token_hint');
    const signOut = { ...requestOf(parameters), id_token_hint };
    send(reply, await this.signOuts.begin(request, reply, siteOf(request), signOut));
  }

  /**
   * Redirects to a GET: browsers send the session's SameSite=Lax cookie with that, and not with another site's form.
   */
  @Post(ENDPOINTS.endSession)
  async beginByForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    go(reply, `${ENDPOINTS.endSession}?${(await readForm(request)).toString()}`);
  }

  @Post(`${ENDPOINTS.endSession}/confirm`)
  async confirm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const signOut = { ...requestOf(form), csrf: single(form, 'csrf') };
    send(reply, await this.signOuts.confirm(request, reply, siteOf(request), signOut));
  }

  @Get(SIGNED_OUT)
  done(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(reply, signedOutPage(siteOf(request)));
  }
}
