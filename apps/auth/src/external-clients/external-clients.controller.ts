import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { isUuid } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Notices } from '#src/notices/notices.js';
import { AdminGuard } from '#src/admin-area/admin.guard.js';
import { CLIENTS } from '#src/admin-area/admin.page.js';
import { queryChoice, queryCursor, queryText } from '#src/admin-area/list-query.js';
import type { ListQuery } from '#src/admin-area/list-query.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { FORM_BASE, isStaleForm } from '#src/pages/form-base.js';
import { EXTERNAL_SOURCES, REVIEWS } from './external-client.js';
import type { ExternalClient } from './external-client.js';
import {
  clientPath,
  confirmReviewPage,
  externalClientPage,
  externalClientsPage,
  isEndingReview,
} from './external-clients.page.js';
import { ExternalClients } from './external-clients.service.js';

const NOTICES = {
  approved: 'client_approved',
  blocked: 'client_blocked',
  unreviewed: 'client_unreviewed',
} as const;

/** Lists and reviews the clients that a site did not create. */
@Controller(CLIENTS)
@UseFilters(OAuthErrorFilter)
export class ExternalClientsController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly clients: ExternalClients,
    private readonly notices: Notices,
  ) {}

  @Get()
  list(@Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const filter = {
      text: queryText(query, 'q').toLowerCase(),
      source: queryChoice(query, 'source', EXTERNAL_SOURCES),
      review: queryChoice(query, 'state', REVIEWS),
    };
    const after = queryCursor(query, 'after');
    return this.guard.show(request, reply, async (context) =>
      externalClientsPage(context, filter, await this.clients.page(context.site.site_id, filter, after)),
    );
  }

  @Get(':client_key')
  show(@Param('client_key') key: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) =>
      externalClientPage(context, await this.#client(context.site.site_id, key)),
    );
  }

  /** Asks before a review that ends access. */
  @Get(':client_key/review')
  confirm(
    @Param('client_key') key: string,
    @Query('to') review: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      const client = await this.#client(context.site.site_id, key);
      if (!isEndingReview(review)) throw new ApiError('not_found', 'The page does not exist');
      return confirmReviewPage(context, client, review);
    });
  }

  /** Idempotent: the state is a part of the form. */
  @Post()
  review(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const review = REVIEWS.find((state) => state === single(form, 'review'));
      const { site, person } = context;
      const { client_key } = await this.#client(site.site_id, single(form, 'client') ?? '');
      if (review === undefined) throw new ApiError('not_found', 'The state does not exist');
      try {
        const sent = { review, actor: person.person_id, base: single(form, FORM_BASE) };
        const { name } = await this.clients.review(site.site_id, client_key, sent);
        this.notices.leave(reply, context, NOTICES[review], name);
        return clientPath(client_key);
      } catch (error) {
        if (!isStaleForm(error)) throw error;
        return externalClientPage(context, await this.#client(site.site_id, client_key), { isStale: true });
      }
    });
  }

  async #client(siteId: string, key: string): Promise<ExternalClient> {
    if (!isUuid(key)) throw new ApiError('not_found', 'The page does not exist');
    return this.clients.find(siteId, key);
  }
}
