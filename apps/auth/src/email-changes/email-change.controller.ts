import { say } from '@lyceum/messages';
import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
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
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) =>
      emailChangePage(context, { open: await this.changes.open(context.site, context.person) }),
    );
  }

  @Post()
  request(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { site, person } = context;
      const typed = single(form, 'email') ?? '';
      const email = canonicalEmail(typed);
      const error =
        addressError(context, email) ??
        (await this.proof.error({ request, site }, person, single(form, 'current') ?? '')) ??
        (await this.limits.error(person, email ?? ''));
      if (error !== undefined || email === undefined) {
        const open = await this.changes.open(site, person);
        return emailChangePage(context, { open, email: typed, ...(error && { error }) });
      }
      await this.changes.request(site, person, email);
      this.notices.leave(reply, context, 'email_change_requested');
      return EMAIL_CHANGE;
    });
  }

  @Post('cancel')
  cancel(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context) => {
      await this.changes.cancel(context.site, context.person);
      this.notices.leave(reply, context, 'email_change_canceled');
      return EMAIL_CHANGE;
    });
  }
}

function addressError({ person }: AccountContext, email: string | undefined): EmailChangeError | undefined {
  const refused = (message: string) => ({ status: 422, field: 'email', message }) as const;
  if (email === undefined) return refused(say('email_change.enter'));
  return email === person.email ? refused(say('email_change.same')) : undefined;
}
