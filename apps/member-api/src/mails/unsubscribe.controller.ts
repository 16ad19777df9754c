import { Controller, Get, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { readAs } from '@lyceum/platform';
import { CurrentSite, Open } from '@lyceum/resource-server';
import type { FastifyReply } from 'fastify';
import { NotificationSubscriptionsService } from '#src/notification-subscriptions/notification-subscriptions.service.js';
import { UNSUBSCRIBE_PATH, UnsubscribeLinks } from './unsubscribe-links.js';
import type { Unsubscription } from './unsubscribe-links.js';
import { askPage, donePage, pageHeaders } from './unsubscribe.page.js';

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
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    this.#read(site, token);
    readAs({ site: site.locale, accepted });
    void reply.headers(pageHeaders());
    return askPage(site.name);
  }

  @Post()
  @HttpCode(200)
  async end(
    @Query('token') token: unknown,
    @CurrentSite() site: Site,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readAs({ site: site.locale, accepted });
    const { person_id, subscription_id } = this.#read(site, token);
    // Succeeds for a deleted member or subscription too: neither gets mails.
    await this.subscriptions.change({ site_id: site.site_id, person_id }, subscription_id, { email: false });
    void reply.headers(pageHeaders());
    return donePage(site.name);
  }

  #read(site: Site, token: unknown): Unsubscription {
    const found = this.links.read(site, token);
    if (found === undefined) throw new ApiError('not_found', 'This link is incomplete or belongs to another site');
    return found;
  }
}
