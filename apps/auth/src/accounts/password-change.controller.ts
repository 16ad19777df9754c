import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { proofError } from '#src/sign-ins/password-proof.js';
import { staleFormPage } from '#src/pages/error.page.js';
import { send } from '#src/pages/page.js';
import type { Shown } from '#src/pages/page.js';
import { RepeatedForms } from '#src/repeated-forms/repeated-forms.js';
import type { Submission } from '#src/repeated-forms/repeated-forms.js';
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
    private readonly repeats: RepeatedForms,
    private readonly sessions: BrowserSessions,
    private readonly notices: Notices,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, passwordChangePage);
  }

  @Post()
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const submission = { request, reply, form };
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    const shown =
      context === undefined
        ? await this.repeats.find(submission)
        : await this.repeats.once(submission, () => this.#change(submission, context));
    send(reply, shown ?? staleFormPage(siteOf(request)));
  }

  async #change({ request, reply, form }: Submission, context: AccountContext): Promise<Shown> {
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
