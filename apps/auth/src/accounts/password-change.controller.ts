import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { proofError } from '#src/sign-ins/password-proof.js';
import type { Shown } from '#src/pages/page.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { passwordChangePage } from './password-change.page.js';
import { PasswordChangeService } from './password-change.service.js';
import { ACCOUNT, PASSWORD_CHANGE } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import type { AccountContext } from './account-session.guard.js';
import { Notices } from '#src/notices/notices.js';

/** Changes the password of a signed-in person, who must know the current one. */
@Controller(PASSWORD_CHANGE)
@UseFilters(OAuthErrorFilter)
export class PasswordChangeController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly changes: PasswordChangeService,
    private readonly sessions: BrowserSessions,
    private readonly notices: Notices,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, passwordChangePage);
  }

  @Post()
  change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submitOnce(request, reply, (context, form) => this.#change(request, reply, context, form));
  }

  async #change(
    request: FastifyRequest,
    reply: FastifyReply,
    context: AccountContext,
    form: URLSearchParams,
  ): Promise<Shown> {
    const { site, person } = context;
    const [current, password] = [single(form, 'current') ?? '', single(form, 'password') ?? ''];
    const error = await this.changes.error(site, person, password);
    if (error !== undefined) return passwordChangePage(context, { status: 422, field: 'password', message: error });
    const outcome = await this.changes.change(request, context, current, password);
    if (outcome.kind !== 'signed_in') return passwordChangePage(context, proofError(outcome));
    // All sessions ended with the old password, including this one.
    await this.sessions.begin(request, reply, site, outcome.who);
    this.notices.leave(reply, context, 'password_changed');
    return ACCOUNT;
  }
}
