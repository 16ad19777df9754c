import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApplicationsService } from '#src/applications/applications.service.js';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { go, sendPage } from '#src/pages/page.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { accountPage, disconnectPage, staleFormPage } from './account.page.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import { Notices } from './notices.js';
import { signInBefore } from './sign-in-target.policy.js';

/** The account page of a person at a site: sessions and connected applications. */
@Controller(ACCOUNT)
@UseFilters(OAuthErrorFilter)
export class AccountController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly sessions: BrowserSessions,
    private readonly applications: ApplicationsService,
    private readonly notices: Notices,
  ) {}

  @Get()
  async show(
    @Query('page') number: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    const { person, session, site } = context;
    const [connected, live] = await Promise.all([
      this.applications.page(person.person_id, site.site_id, number),
      this.sessions.live(session, site.site_id),
    ]);
    sendPage(reply, accountPage(context, connected, live));
  }

  @Get('disconnect')
  async askDisconnect(
    @Query('application') key: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    const { person, site } = context;
    const wanted = typeof key === 'string' ? key : '';
    const found = await this.applications.find(person.person_id, site.site_id, wanted);
    if (found === undefined) return go(reply, ACCOUNT);
    sendPage(reply, disconnectPage(context, found));
  }

  @Post('disconnect')
  async disconnect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { person, site } = context;
    // Disconnecting is idempotent: an unknown or foreign application is not reported.
    const key = single(form, 'application') ?? '';
    const ended = await this.applications.disconnect(person.person_id, site.site_id, key);
    if (ended !== undefined) this.notices.leave(reply, context, 'disconnected', ended.name);
    go(reply, ACCOUNT);
  }
}
