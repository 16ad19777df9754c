import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { send, sendPage } from '#src/pages/page.js';
import { PeopleService } from '#src/people/people.service.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { AccountSessionGuard } from './account-session.guard.js';
import { AccountSignIn } from './account-sign-in.js';
import { signOutEverywherePage } from './account.page.js';
import { Notices } from '#src/notices/notices.js';

/** Signs a person in and out at the account. */
@Controller(ACCOUNT)
@UseFilters(OAuthErrorFilter)
export class AccountSessionsController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly signIns: AccountSignIn,
    private readonly sessions: BrowserSessions,
    private readonly people: PeopleService,
    private readonly notices: Notices,
  ) {}

  @Get('sign-in')
  async signInForm(
    @Query('next') next: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendPage(reply, await this.signIns.form(request, reply, next));
  }

  @Post('sign-in')
  async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.signIns.attempt(request, reply, await readForm(request)));
  }

  @Get('sign-out-everywhere')
  askEverywhere(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, signOutEverywherePage);
  }

  @Post('sign-out')
  signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submitOnce(request, reply, async ({ person }, form) => {
      const isEverywhere = single(form, 'where') === 'everywhere';
      if (isEverywhere) await this.people.signOutEverywhere(person.person_id);
      return this.#end(request, reply, isEverywhere ? 'signed_out_everywhere' : 'signed_out');
    });
  }

  @Post('end-session')
  endSession(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submitOnce(request, reply, async (context, form) => {
      const { session, site } = context;
      const ended = single(form, 'session') ?? '';
      await this.sessions.endOne(session.person_id, site.site_id, ended);
      if (ended === session.uid) return this.#end(request, reply, 'signed_out');
      this.notices.leave(reply, context, 'session_ended');
      return ACCOUNT;
    });
  }

  /** The page to continue at. */
  async #end(
    request: FastifyRequest,
    reply: FastifyReply,
    notice: 'signed_out' | 'signed_out_everywhere',
  ): Promise<string> {
    const site = siteOf(request);
    await this.sessions.end(request, reply, site);
    this.notices.leave(reply, { site, person: undefined }, notice);
    return `${ACCOUNT}/sign-in`;
  }
}
