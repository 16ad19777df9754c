import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { switchMcpConnections } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { CONNECTIONS } from './admin.page.js';
import { AdminGuard } from './admin.guard.js';
import { connectionsPage, switchOffPage } from './connections.page.js';

/** Switches MCP connections, a setting that admin-api keeps. */
@Controller(CONNECTIONS)
@UseFilters(OAuthErrorFilter)
export class ConnectionsController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly requests: Requests,
    private readonly notices: Notices,
    private readonly grants: GrantsService,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, (context) => connectionsPage(context));
  }

  /** Asks first, with the number of connections that end. */
  @Get('off')
  ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) =>
      switchOffPage(context, await this.grants.connections(context.site.site_id)),
    );
  }

  @Post()
  switch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const enabled = single(form, 'enabled');
      if (enabled !== 'yes' && enabled !== 'no') throw new ApiError('not_found', 'The state does not exist');
      if (!(await this.#switch(context, enabled === 'yes'))) return connectionsPage(context, true);
      this.notices.leave(reply, context, enabled === 'yes' ? 'connections_on' : 'connections_off');
      return CONNECTIONS;
    });
  }

  /** False while admin-api cannot be reached. */
  async #switch({ site, person }: AccountContext, enabled: boolean): Promise<boolean> {
    const input = { member_id: person.member_id, roles: [...person.roles], enabled };
    try {
      await this.requests.request(switchMcpConnections, input, { site_id: site.site_id });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'temporarily_unavailable') return false;
      throw error;
    }
  }
}
