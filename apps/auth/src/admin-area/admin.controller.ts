import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { AuditService } from '#src/audit/audit.service.js';
import { DocumentClients } from '#src/client-documents/document-clients.service.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { ADMIN, APPLICATIONS, REVIEWS, auditPage, overviewPage, reviewsPage } from './admin.page.js';
import { applicationsPage, createdPage } from './applications.page.js';
import { MAX_LISTED, AdminActions } from './admin-actions.js';
import type { ApplicationOptions, NewApplication } from './admin-actions.js';
import { AdminGuard } from './admin.guard.js';
import type { Shown } from './admin.guard.js';

const AUDIT_PAGE = 50;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const REVIEW = ['approved', 'blocked', 'unreviewed'] as const;

const uris = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((uri) => uri !== '');

function applicationOptions(form: URLSearchParams): ApplicationOptions {
  return {
    post_logout_redirect_uris: uris(single(form, 'post_logout_redirect_uris')),
    compatibility_mode: single(form, 'compatibility_mode') === 'yes',
  };
}

function newApplication(form: URLSearchParams): NewApplication {
  return {
    ...applicationOptions(form),
    name: (single(form, 'name') ?? '').trim(),
    redirect_uris: uris(single(form, 'redirect_uris')),
    scopes: form.getAll('scope'),
    confidential: single(form, 'kind') === 'confidential',
  };
}

/** The pages of a disabled beta feature do not exist. */
function requireConnections({ site }: AccountContext): void {
  if (!site.settings.mcp_connections) throw new ApiError('not_found', 'The page does not exist');
}

/** The area of a site's owners and admins: OAuth applications, clients that describe themselves, and the audit log. */
@Controller(ADMIN)
@UseFilters(OAuthErrorFilter)
export class AdminController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly actions: AdminActions,
    private readonly clients: ClientsService,
    private readonly documents: DocumentClients,
    private readonly audit: AuditService,
  ) {}

  @Get()
  index(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, ({ site }) => overviewPage(site));
  }

  @Get('applications')
  applications(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      requireConnections(context);
      return applicationsPage(context, await this.clients.madeAtSite(context.site.site_id, MAX_LISTED));
    });
  }

  @Post('applications')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      requireConnections(context);
      const given = newApplication(form);
      return this.#orList(context, async () => createdPage(context, await this.actions.create(context, given)), given);
    });
  }

  @Post('applications/change')
  change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      requireConnections(context);
      const options = applicationOptions(form);
      return this.#orList(context, async () => {
        await this.actions.change(context, single(form, 'application') ?? '', options);
        return APPLICATIONS;
      });
    });
  }

  @Post('applications/delete')
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      requireConnections(context);
      await this.actions.delete(context, single(form, 'client_id') ?? '');
      return APPLICATIONS;
    });
  }

  @Get('reviews')
  reviews(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) =>
      reviewsPage(context, await this.documents.list(context.site.site_id, MAX_LISTED)),
    );
  }

  @Post('reviews')
  review(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const review = REVIEW.find((state) => state === single(form, 'review'));
      if (review === undefined) throw new ApiError('not_found', 'The state does not exist');
      await this.actions.review(context, single(form, 'client_id') ?? '', review);
      return REVIEWS;
    });
  }

  @Get('audit')
  log(@Query('before') before: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const cursor = typeof before === 'string' && UUID.test(before) ? before : undefined;
    return this.guard.show(request, reply, async (context) =>
      auditPage(context, await this.audit.page(context.site.site_id, cursor, AUDIT_PAGE)),
    );
  }

  /** Shows the error above the list, with the submitted form. */
  async #orList(context: AccountContext, work: () => Promise<Shown>, given?: NewApplication): Promise<Shown> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      const clients = await this.clients.madeAtSite(context.site.site_id, MAX_LISTED);
      return applicationsPage(context, clients, { given, error: error.message });
    }
  }
}
