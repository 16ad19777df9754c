import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import { isPublicName } from '#src/client-documents/client-id-url.policy.js';
import { DocumentAdministration, MOST_HOSTS } from '#src/client-documents/document.administration.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteSettings } from '#src/sites/site.js';
import { AdminGuard } from './admin.guard.js';
import { CLIENT_HOSTS } from './admin.page.js';
import { clientHostsPage } from './client-hosts.page.js';

/** The hosts from which a site accepts documents of clients. */
@Controller(CLIENT_HOSTS)
@UseFilters(OAuthErrorFilter)
export class ClientHostsController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly documents: DocumentAdministration,
    private readonly sites: SitesService,
    private readonly notices: Notices,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => clientHostsPage(context, await this.#stored(context)));
  }

  @Post()
  add(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const given = (single(form, 'host') ?? '').trim().toLowerCase();
      const settings = await this.#stored(context);
      try {
        if (!settings.cimd_hosts.includes(given))
          await this.documents.allow(context.site.site_id, given, context.person.person_id);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
        return clientHostsPage(context, settings, { given, fault: faultOf(given) });
      }
      this.notices.leave(reply, context, 'host_added', given);
      return CLIENT_HOSTS;
    });
  }

  /** Idempotent: removing a host again changes nothing. */
  @Post('remove')
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const host = single(form, 'host') ?? '';
      const { cimd_hosts } = await this.#stored(context);
      if (!cimd_hosts.includes(host)) return CLIENT_HOSTS;
      await this.documents.disallow(context.site.site_id, host, context.person.person_id);
      this.notices.leave(reply, context, 'host_removed', host);
      return CLIENT_HOSTS;
    });
  }

  async #stored({ site }: AccountContext): Promise<SiteSettings> {
    const stored = await this.sites.byId(site.site_id);
    if (stored === undefined) throw new ApiError('not_found', 'The site does not exist');
    return stored.settings;
  }
}

/** A host with a valid name is refused because of the number of hosts. */
const faultOf = (given: string): string =>
  isPublicName(given) ? say('hosts.too_many', { max: MOST_HOSTS }) : say('hosts.enter');
