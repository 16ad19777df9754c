import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { RateLimiter } from '@lyceum/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { LIMITS } from '#src/limits/limits.js';
import { DATA_EXPORT } from '#src/protocol/paths.js';
import { dataExportPage } from './data-export.page.js';
import { DataExportsService } from './data-exports.service.js';

/** Downloads the records of the site about the signed-in person. A repetition is another download. */
@Controller(DATA_EXPORT)
@UseFilters(OAuthErrorFilter)
export class DataExportController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly exports: DataExportsService,
    private readonly limiter: RateLimiter,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, dataExportPage);
  }

  @Post()
  download(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context) => {
      const { site, person } = context;
      const subject = `${site.site_id}\n${person.person_id}`;
      const retryAfter = await this.limiter.secondsToWait(LIMITS.data_exports, subject);
      if (retryAfter === undefined) return this.#file(context, subject);
      return dataExportPage(context, { status: 429, message: say('export.too_many'), retryAfter });
    });
  }

  /** @param subject of the limit, from which a download is taken */
  async #file(context: AccountContext, subject: string): Promise<Page> {
    const { site, person } = context;
    try {
      const data = await this.exports.collect(site, person);
      const name = `my-data-${data.exported_at.slice(0, 10)}.json`;
      return {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': `attachment; filename="${name}"`,
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        },
        body: JSON.stringify(data, null, 2),
      };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'temporarily_unavailable') throw error;
      this.limiter.giveBack(LIMITS.data_exports, subject);
      return dataExportPage(context, { status: 503, message: say('export.unavailable'), retryAfter: 60 });
    }
  }
}
