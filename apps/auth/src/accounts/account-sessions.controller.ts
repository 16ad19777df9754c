import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { go, sendPage } from '#src/pages/page.js';
import { PeopleService } from '#src/people/people.service.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { AccountSessionGuard } from './account-session.guard.js';
import { AccountSignIn } from './account-sign-in.js';
import { signOutEverywherePage, staleFormPage } from './account.page.js';
import { Notices } from './notices.js';
import { signInBefore } from './sign-in-target.policy.js';

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
    const outcome = await this.signIns.attempt(request, reply, await readForm(request));
    if (typeof outcome === 'string') go(reply, outcome);
    else sendPage(reply, outcome);
  }

  @Get('sign-out-everywhere')
  async askEverywhere(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    sendPage(reply, signOutEverywherePage(context));
  }

  @Post('sign-out')
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const isEverywhere = single(form, 'where') === 'everywhere';
    if (isEverywhere) await this.people.signOutEverywhere(context.person.person_id);
    await this.#end(request, reply, isEverywhere ? 'signed_out_everywhere' : 'signed_out');
  }

  @Post('end-session')
  async endSession(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { session, site } = context;
    const ended = single(form, 'session') ?? '';
    await this.sessions.endOne(session.person_id, site.site_id, ended);
    if (ended === session.uid) return this.#end(request, reply, 'signed_out');
    this.notices.leave(reply, context, 'session_ended');
    go(reply, ACCOUNT);
  }

  async #end(
    request: FastifyRequest,
    reply: FastifyReply,
    notice: 'signed_out' | 'signed_out_everywhere',
  ): Promise<void> {
    const site = siteOf(request);
    await this.sessions.end(request, reply, site);
    this.notices.leave(reply, { site, person: undefined }, notice);
    go(reply, `${ACCOUNT}/sign-in`);
  }
}
