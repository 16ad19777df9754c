import { say } from '@lyceum/messages';
import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { staleFormPage } from '#src/accounts/account.page.js';
import { Notices } from '#src/accounts/notices.js';
import { signInBefore } from '#src/accounts/sign-in-target.policy.js';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { go, sendPage } from '#src/pages/page.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { EMAIL_CHANGE } from '#src/protocol/paths.js';
import { PasswordProof } from '#src/sign-ins/password-proof.js';
import { EmailChangeLimits } from './email-change-limits.js';
import { emailChangePage } from './email-change.page.js';
import type { EmailChangeError } from './email-change.page.js';
import { EmailChangesService } from './email-changes.service.js';

/** Requests another email address. The person must know the password. */
@Controller(EMAIL_CHANGE)
@UseFilters(OAuthErrorFilter)
export class EmailChangeController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly proof: PasswordProof,
    private readonly changes: EmailChangesService,
    private readonly limits: EmailChangeLimits,
    private readonly notices: Notices,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    sendPage(reply, emailChangePage(context, { open: await this.changes.open(context.site, context.person) }));
  }

  @Post()
  async request(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { site, person } = context;
    const typed = single(form, 'email') ?? '';
    const email = canonicalEmail(typed);
    const error =
      addressError(context, email) ??
      (await this.proof.error({ request, site }, person, single(form, 'current') ?? '')) ??
      (await this.limits.error(person, email ?? ''));
    if (error !== undefined || email === undefined) {
      const open = await this.changes.open(site, person);
      return sendPage(reply, emailChangePage(context, { open, email: typed, ...(error && { error }) }));
    }
    await this.changes.request(site, person, email);
    this.notices.leave(reply, context, 'email_change_requested');
    go(reply, EMAIL_CHANGE);
  }

  @Post('cancel')
  async cancel(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    await this.changes.cancel(context.site, context.person);
    this.notices.leave(reply, context, 'email_change_canceled');
    go(reply, EMAIL_CHANGE);
  }
}

function addressError({ person }: AccountContext, email: string | undefined): EmailChangeError | undefined {
  const refused = (message: string) => ({ status: 422, field: 'email', message }) as const;
  if (email === undefined) return refused(say('email_change.enter'));
  return email === person.email ? refused(say('email_change.same')) : undefined;
}
