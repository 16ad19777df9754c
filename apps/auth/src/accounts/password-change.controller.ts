import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { SignInService } from '#src/sign-ins/sign-in.service.js';
import { go, sendPage } from '#src/pages/page.js';
import { BrowserSessions } from '#src/provider/browser-sessions.js';
import { staleFormPage } from './account.page.js';
import { passwordChangePage, passwordChangedPage } from './password-change.page.js';
import { PasswordChangeService } from './password-change.service.js';
import { ACCOUNT, PASSWORD_CHANGE } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';

/** Changes the password of a signed-in person, who must know the current one. */
@Controller(PASSWORD_CHANGE)
@UseFilters(OAuthErrorFilter)
export class PasswordChangeController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly signIns: SignInService,
    private readonly changes: PasswordChangeService,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, `${ACCOUNT}/sign-in`);
    sendPage(reply, passwordChangePage(context));
  }

  @Post()
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { site, person } = context;
    const [current, password] = [single(form, 'current') ?? '', single(form, 'password') ?? ''];
    const error = await this.changes.error(site, person, password);
    if (error !== undefined) {
      return sendPage(reply, passwordChangePage(context, { status: 422, field: 'password', message: error }));
    }
    const outcome = await this.signIns.prove({ request, site }, person.email, () =>
      this.changes.change(site, person, current, password),
    );
    if (outcome.kind === 'refused') {
      const message = 'The current password is wrong.';
      return sendPage(reply, passwordChangePage(context, { status: 422, field: 'current', message }));
    }
    if (outcome.kind === 'slowed_down') {
      const { retryAfter } = outcome;
      const message = `Too many attempts. Wait ${retryAfter} seconds, then try again.`;
      return sendPage(reply, passwordChangePage(context, { status: 429, field: 'current', message, retryAfter }));
    }
    // All sessions ended with the old password, including this one.
    await this.sessions.begin(request, reply, site, outcome.who);
    sendPage(reply, passwordChangedPage(site));
  }
}
