import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApplicationsService } from '#src/applications/applications.service.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { accountPage, disconnectPage } from './account.page.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import { Notices } from '#src/notices/notices.js';

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
  show(@Query('page') number: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      const { person, session, site } = context;
      const [connected, live] = await Promise.all([
        this.applications.page(person.person_id, site.site_id, number),
        this.sessions.live(session, site.site_id),
      ]);
      return accountPage(context, connected, live);
    });
  }

  @Get('disconnect')
  askDisconnect(
    @Query('application') key: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      const { person, site } = context;
      const wanted = typeof key === 'string' ? key : '';
      const found = await this.applications.find(person.person_id, site.site_id, wanted);
      return found === undefined ? ACCOUNT : disconnectPage(context, found);
    });
  }

  @Post('disconnect')
  disconnect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { person, site } = context;
      // Disconnecting is idempotent: an unknown or foreign application is not reported.
      const key = single(form, 'application') ?? '';
      const ended = await this.applications.disconnect(person.person_id, site.site_id, key);
      if (ended !== undefined) this.notices.leave(reply, context, 'disconnected', ended.name);
      return ACCOUNT;
    });
  }
}
