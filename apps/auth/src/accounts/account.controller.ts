import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApplicationsService } from '#src/applications/applications.service.js';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { go, sendPage } from '#src/pages/page.js';
import { PeopleService } from '#src/people/people.service.js';
import { BrowserSessions } from '#src/provider/browser-sessions.js';
import { AccountSignIn } from './account-sign-in.js';
import { accountPage, staleFormPage } from './account.page.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';

/** The account page of a person at a site: sessions, connected applications and sign-out. */
@Controller(ACCOUNT)
@UseFilters(OAuthErrorFilter)
export class AccountController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly signIns: AccountSignIn,
    private readonly sessions: BrowserSessions,
    private readonly applications: ApplicationsService,
    private readonly people: PeopleService,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, `${ACCOUNT}/sign-in`);
    const { person, session, site } = context;
    const [connected, live] = await Promise.all([
      this.applications.connected(person.person_id, site.site_id),
      this.sessions.live(session, site.site_id),
    ]);
    sendPage(reply, accountPage(context, connected, live));
  }

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

  @Post('sign-out')
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    if (single(form, 'where') === 'everywhere') await this.people.signOutEverywhere(context.person.person_id);
    await this.sessions.end(request, reply, context.site);
    go(reply, `${ACCOUNT}/sign-in`);
  }

  @Post('end-session')
  async endSession(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { session, site } = context;
    const ended = single(form, 'session') ?? '';
    await this.sessions.endOne(session.person_id, site.site_id, ended);
    if (ended !== session.uid) return go(reply, ACCOUNT);
    await this.sessions.end(request, reply, site);
    go(reply, `${ACCOUNT}/sign-in`);
  }

  @Post('disconnect')
  async disconnect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { person, site } = context;
    // Disconnecting is idempotent: an unknown or foreign application is not reported.
    await this.applications.disconnect(person.person_id, site.site_id, single(form, 'application') ?? '');
    go(reply, ACCOUNT);
  }
}
