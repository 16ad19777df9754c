import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { PAGE_CLIENTS, isClientPage } from '#src/clients/page-client.policy.js';
import type { ClientPage } from '#src/clients/page-client.policy.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { randomToken } from '#src/secrets/digest.js';
import { APPLICATIONS } from './admin.page.js';
import { AdminActions } from './admin-actions.js';
import { AdminGuard } from './admin.guard.js';
import { requireConnections } from './application-access.js';
import { scopesOfKind } from './application.policy.js';
import { PAGE_APPLICATIONS, nameOfPage } from './page-applications.section.js';

/** Adds the application of a page for developers (ADR 126). */
@Controller()
@UseFilters(OAuthErrorFilter)
export class PageApplicationsController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly actions: AdminActions,
    private readonly clients: ClientsService,
    private readonly notices: Notices,
  ) {}

  /** Idempotent: a page that has an application keeps it. */
  @Post(PAGE_APPLICATIONS)
  add(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      requireConnections(context);
      const page = single(form, 'page');
      if (!isClientPage(page)) throw new ApiError('not_found', 'The page does not exist');
      if ((await this.clients.ofPages(context.site))[page] === undefined)
        await this.#create(context, page, single(form, 'form') ?? randomToken());
      this.notices.leave(reply, context, 'application_created', nameOfPage(page));
      return APPLICATIONS;
    });
  }

  /** With all scopes of its audience: the page requests reading, and each person decides about more. */
  async #create(context: AccountContext, page: ClientPage, form: string): Promise<void> {
    const { path, audience } = PAGE_CLIENTS[page];
    await this.actions.create(context, audience, {
      form,
      confidential: false,
      name: nameOfPage(page),
      redirect_uris: [`${context.site.base_url}${path}`],
      post_logout_redirect_uris: [],
      scopes: scopesOfKind(audience),
      compatibility_mode: false,
    });
  }
}
