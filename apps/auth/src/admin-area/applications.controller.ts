import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Notices } from '#src/notices/notices.js';
import type { OAuthClient } from '#src/clients/client.js';
import { ClientsService } from '#src/clients/clients.service.js';
import type { PageClients } from '#src/clients/page-client.policy.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { randomToken } from '#src/secrets/digest.js';
import { APPLICATIONS, NEW_APPLICATION } from './admin.page.js';
import { AdminActions } from './admin-actions.js';
import type { NewApplication } from './admin-actions.js';
import { AdminGuard } from './admin.guard.js';
import { requireConnections } from './application-access.js';
import { applicationFields } from './application-fields.js';
import { applicationPath } from './application-words.js';
import { applicationFormPage, newApplicationPage } from './application.form.js';
import { applicationFaults, isApplicationKind } from './application.policy.js';
import type { ApplicationKind } from './application.policy.js';
import { applicationsPage } from './applications.page.js';
import { queryCursor } from './list-query.js';
import type { ListQuery } from './list-query.js';

/** Applications on a page. */
const PAGE = 50;

function newApplication(form: URLSearchParams): NewApplication {
  return {
    ...applicationFields(form),
    form: single(form, 'form') ?? randomToken(),
    confidential: single(form, 'kind') === 'confidential',
  };
}

function kindIn(text: string | undefined): ApplicationKind {
  if (!isApplicationKind(text)) throw new ApiError('not_found', 'The kind does not exist');
  return text;
}

/** Lists and creates the OAuth applications of a site. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class ApplicationsController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly actions: AdminActions,
    private readonly clients: ClientsService,
    private readonly notices: Notices,
  ) {}

  @Get(APPLICATIONS)
  list(@Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const after = queryCursor(query, 'after');
    return this.guard.show(request, reply, async (context) => {
      requireConnections(context);
      const { clients, ofPages }: { readonly clients: readonly OAuthClient[]; readonly ofPages?: PageClients } =
        after === null
          ? await this.clients.newestAtSite(context.site)
          : { clients: await this.clients.madeAtSite(context.site.site_id, PAGE + 1, after) };
      return applicationsPage(context, {
        clients: clients.slice(0, PAGE),
        more: clients.length > PAGE,
        after,
        ofPages,
      });
    });
  }

  @Get(NEW_APPLICATION)
  form(@Query('for') kind: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, (context) => {
      requireConnections(context);
      return isApplicationKind(kind) ? applicationFormPage(context, kind) : newApplicationPage(context);
    });
  }

  @Post(APPLICATIONS)
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      requireConnections(context);
      const kind = kindIn(single(form, 'for') ?? 'member');
      const given = newApplication(form);
      const faults = applicationFaults(given, kind);
      if (Object.keys(faults).length > 0) return applicationFormPage(context, kind, { given, faults });
      const client_id = await this.actions.create(context, kind, given);
      this.notices.leave(reply, context, 'application_created', given.name);
      return applicationPath(client_id);
    });
  }

  /** Deleting is idempotent: a second click shows the list, too. */
  @Post(`${APPLICATIONS}/delete`)
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      requireConnections(context);
      const deleted = await this.actions.delete(context, single(form, 'client_id') ?? '');
      if (deleted !== undefined) this.notices.leave(reply, context, 'application_deleted', deleted.name);
      return APPLICATIONS;
    });
  }
}
