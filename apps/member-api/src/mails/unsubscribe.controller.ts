import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { notFoundPage } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { readAs, wantsPage } from '@lyceum/platform';
import { CurrentSite, Open, sendNotFoundPage } from '@lyceum/resource-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotificationSubscriptionsService } from '#src/notification-subscriptions/notification-subscriptions.service.js';
import { UNSUBSCRIBE_PATH, UnsubscribeLinks } from './unsubscribe-links.js';
import { askPage, donePage, expiredPage, undonePage } from './unsubscribe.page.js';

const INCOMPLETE = 'This link is incomplete or belongs to another site';
const EXPIRED = 'An unsubscription can be undone for an hour, by the link of its page';

/** Serves unsubscribe links (RFC 8058). GET shows a confirmation page. POST, by page or mail client, unsubscribes. */
@Controller(UNSUBSCRIBE_PATH)
export class UnsubscribeController {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly subscriptions: NotificationSubscriptionsService,
  ) {}

  @Get()
  @Open()
  ask(
    @Query('token') token: unknown,
    @CurrentSite() site: Site,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const link = this.links.read(site, token);
    if (link === undefined && sendNotFoundPage(request, reply)) return;
    if (link === undefined) throw new ApiError('not_found', INCOMPLETE);
    readAs({ site: site.locale, accepted: request.headers['accept-language'] });
    send(reply, askPage(site, String(token)));
  }

  /** With `undo` in place of `token`: reverses the unsubscription. */
  @Post()
  @Open()
  async end(
    @Query() { token, undo }: Readonly<Record<string, unknown>>,
    @CurrentSite() site: Site,
    @Req() { headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readAs({ site: site.locale, accepted: headers['accept-language'] });
    const email = undo !== undefined;
    const missing = (reason: string, page: Page = notFoundPage(site)): void => {
      if (!wantsPage(headers.accept)) throw new ApiError('not_found', reason);
      send(reply, page);
    };
    const link = email ? this.links.readUndo(site, undo) : this.links.read(site, token);
    if (link === undefined) return email ? missing(EXPIRED, expiredPage(site)) : missing(INCOMPLETE);
    const member = { site_id: site.site_id, person_id: link.person_id };
    const end = await this.subscriptions.change(member, link.subscription_id, { email, byLink: true });
    if (typeof end === 'string') return missing('The subscription of this link does not exist');
    send(reply, email ? undonePage(site) : donePage(site, this.links.undoToken(site, link)));
  }
}

function send(reply: FastifyReply, { status, headers, body }: Page): void {
  void reply.code(status).headers(headers).send(body);
}
