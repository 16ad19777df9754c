import { Controller, Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import { listActivity } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { activityPage } from './activity.page.js';
import type { Activity } from './activity.page.js';
import { ACTIVITY } from './admin.page.js';
import { AdminGuard } from './admin.guard.js';

const PAGE = 50;

/** Shows the activity log of the school, which admin-api keeps. */
@Controller(ACTIVITY)
@UseFilters(OAuthErrorFilter)
export class ActivityController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly requests: Requests,
  ) {}

  @Get()
  log(@Query('cursor') cursor: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const after = typeof cursor === 'string' ? cursor : null;
    return this.guard.show(request, reply, async (context) =>
      activityPage(context, await this.#activity(context, after)),
    );
  }

  /**
   * Undefined while admin-api cannot be reached. A cursor that admin-api did not make begins with the newest entries.
   */
  async #activity(context: AccountContext, cursor: string | null): Promise<Activity | undefined> {
    const { site, person } = context;
    const input = { roles: [...person.roles], cursor, limit: PAGE };
    try {
      return await this.requests.request(listActivity, input, { site_id: site.site_id });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'temporarily_unavailable') return undefined;
      if (error.code === 'invalid_cursor' && cursor !== null) return this.#activity(context, null);
      throw error;
    }
  }
}
