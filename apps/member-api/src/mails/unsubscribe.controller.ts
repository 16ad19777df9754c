import { Controller, Get, Headers, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Page } from '@lyceum/pages';
import { readAs } from '@lyceum/platform';
import { CurrentSite, Open, sendNotFoundPage } from '@lyceum/resource-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotificationSubscriptionsService } from '#src/notification-subscriptions/notification-subscriptions.service.js';
import { UNSUBSCRIBE_PATH, UnsubscribeLinks } from './unsubscribe-links.js';
import type { Unsubscription } from './unsubscribe-links.js';
import { askPage, donePage, undonePage } from './unsubscribe.page.js';

/** Serves unsubscribe links (RFC 8058). GET shows a confirmation page. POST, by page or mail client, unsubscribes. */
@Controller(UNSUBSCRIBE_PATH)
@Open()
export class UnsubscribeController {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly subscriptions: NotificationSubscriptionsService,
  ) {}

  @Get()
  ask(
    @Query('token') token: unknown,
    @CurrentSite() site: Site,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const link = this.links.read(site, token);
    if (link === undefined && sendNotFoundPage(request, reply)) return;
    found(link);
    readAs({ site: site.locale, accepted: request.headers['accept-language'] });
    const { headers, body } = askPage(site, String(token));
    void reply.headers(headers).send(body);
  }

  /** With `undo` in place of `token`: reverses the unsubscription. */
  @Post()
  @HttpCode(200)
  async end(
    @Query() { token, undo }: Readonly<Record<string, unknown>>,
    @CurrentSite() site: Site,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readAs({ site: site.locale, accepted });
    const email = undo !== undefined;
    const link = found(email ? this.links.readUndo(site, undo) : this.links.read(site, token));
    const member = { site_id: site.site_id, person_id: link.person_id };
    const end = await this.subscriptions.change(member, link.subscription_id, { email, byLink: true });
    if (typeof end === 'string') throw new ApiError('not_found', 'The subscription of this link does not exist');
    return show(reply, email ? undonePage(site) : donePage(site, this.links.undoToken(site, link)));
  }
}

function found(link: Unsubscription | undefined): Unsubscription {
  if (link === undefined) throw new ApiError('not_found', 'This link is incomplete or belongs to another site');
  return link;
}

function show(reply: FastifyReply, { headers, body }: Page): string {
  void reply.headers(headers);
  return body;
}
