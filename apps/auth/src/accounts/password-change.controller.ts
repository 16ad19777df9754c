import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { SignInService } from '#src/sign-ins/sign-in.service.js';
import { go, sendPage } from '#src/pages/page.js';
import { PeopleService } from '#src/people/people.service.js';
import { SecurityNotices } from '#src/people/security-notices.js';
import { BrowserSessions } from '#src/provider/browser-sessions.js';
import { staleFormPage } from './account.page.js';
import { passwordChangePage, passwordChangedPage } from './password-change.page.js';
import { ACCOUNT, PASSWORD_CHANGE } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';

/** Another password, for who is signed in and knows the present one. */
@Controller(PASSWORD_CHANGE)
@UseFilters(OAuthErrorFilter)
export class PasswordChangeController {
  constructor(
    private readonly visitors: AccountSessionGuard,
    private readonly signIns: SignInService,
    private readonly people: PeopleService,
    private readonly sessions: BrowserSessions,
    private readonly notices: SecurityNotices,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.visitors.of(request, reply);
    if (visitor === undefined) return go(reply, `${ACCOUNT}/sign-in`);
    sendPage(reply, passwordChangePage(visitor));
  }

  @Post()
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const visitor = await this.visitors.sending(request, reply, single(form, 'csrf'));
    if (visitor === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { site, person } = visitor;
    const [current, password] = [single(form, 'current') ?? '', single(form, 'password') ?? ''];
    const owner = { email: person.email, siteName: site.name };
    const fault = await this.people.passwordFault(password, owner);
    if (fault !== undefined) {
      return sendPage(reply, passwordChangePage(visitor, { status: 422, field: 'password', words: fault }));
    }
    const outcome = await this.signIns.prove({ request, site }, person.email, () =>
      this.people.changePassword(person.person_id, current, password, owner),
    );
    if (outcome.kind === 'refused') {
      const words = 'The current password is wrong.';
      return sendPage(reply, passwordChangePage(visitor, { status: 422, field: 'current', words }));
    }
    if (outcome.kind === 'slowed_down') {
      const { retryAfter } = outcome;
      const words = `Too many attempts. Wait ${retryAfter} seconds, then try again.`;
      return sendPage(reply, passwordChangePage(visitor, { status: 429, field: 'current', words, retryAfter }));
    }
    // All sessions ended with the old password, the one of this browser too.
    await this.sessions.begin(request, reply, site, outcome.who);
    await this.notices.passwordChanged(site, person);
    sendPage(reply, passwordChangedPage(site));
  }
}
