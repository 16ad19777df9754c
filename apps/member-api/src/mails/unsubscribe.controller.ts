import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { CurrentSite, Open } from '@lyceum/resource-server';
import type { FastifyReply } from 'fastify';
import { NotificationSubscriptionsService } from '#src/notification-subscriptions/notification-subscriptions.service.js';
import { UNSUBSCRIBE_PATH, UnsubscribeLinks } from './unsubscribe-links.js';
import type { Unsubscription } from './unsubscribe-links.js';
import { PAGE_HEADERS, askPage, donePage } from './unsubscribe.page.js';

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
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    this.#read(site, token);
    void reply.headers(PAGE_HEADERS);
    return askPage(site.name);
  }

  @Post()
  @HttpCode(200)
  async end(
    @Query('token') token: unknown,
    @CurrentSite() site: Site,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { person_id, subscription_id } = this.#read(site, token);
    // Succeeds for a deleted member or subscription too: neither gets mails.
    await this.subscriptions.change({ site_id: site.site_id, person_id }, subscription_id, { email: false });
    void reply.headers(PAGE_HEADERS);
    return donePage(site.name);
  }

  #read(site: Site, token: unknown): Unsubscription {
    const found = this.links.read(site, token);
    if (found === undefined) throw new ApiError('not_found', 'This link is incomplete or belongs to another site');
    return found;
  }
}
