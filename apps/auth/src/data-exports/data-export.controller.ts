import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { say } from '@lyceum/messages';
import { RateLimiter } from '@lyceum/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { staleFormPage } from '#src/accounts/account.page.js';
import { signInBefore } from '#src/accounts/sign-in-target.policy.js';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { LIMITS } from '#src/limits/limits.js';
import { go, sendPage } from '#src/pages/page.js';
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
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    sendPage(reply, dataExportPage(context));
  }

  @Post()
  async download(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { site, person } = context;
    const subject = `${site.site_id}\n${person.person_id}`;
    const retryAfter = await this.limiter.secondsToWait(LIMITS.data_exports, subject);
    if (retryAfter !== undefined) {
      const message = say('export.too_many');
      return sendPage(reply, dataExportPage(context, { status: 429, message, retryAfter }));
    }
    await this.#send(reply, context);
  }

  async #send(reply: FastifyReply, context: AccountContext): Promise<void> {
    const { site, person } = context;
    try {
      const data = await this.exports.collect(site, person);
      const name = `my-data-${data.exported_at.slice(0, 10)}.json`;
      void reply
        .code(200)
        .header('content-type', 'application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store')
        .send(JSON.stringify(data, null, 2));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'temporarily_unavailable') throw error;
      const message = say('export.unavailable');
      sendPage(reply, dataExportPage(context, { status: 503, message, retryAfter: 60 }));
    }
  }
}
