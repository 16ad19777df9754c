import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '#src/accounts/account-session.guard.js';
import { AuditService } from '#src/audit/audit.service.js';
import { DocumentClients } from '#src/client-documents/document-clients.service.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { ADMIN, APPLICATIONS, REVIEWS, auditPage, overviewPage, reviewsPage } from './admin.page.js';
import { applicationsPage, createdPage } from './applications.page.js';
import { MOST, OperatorActions } from './operator-actions.js';
import type { ApplicationOptions, NewApplication } from './operator-actions.js';
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

/** Of a beta feature that is off there is nothing to see. */
function requireConnections({ site }: Visitor): void {
  if (!site.settings.mcp_connections) throw new ApiError('not_found', 'The page does not exist');
}

/** The area of a site's owners and admins: OAuth applications, clients that describe themselves, and the audit log. */
@Controller(ADMIN)
@UseFilters(OAuthErrorFilter)
export class AdminController {
  constructor(
    private readonly operators: AdminGuard,
    private readonly actions: OperatorActions,
    private readonly clients: ClientsService,
    private readonly documents: DocumentClients,
    private readonly audit: AuditService,
  ) {}

  @Get()
  index(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.operators.see(request, reply, ({ site }) => overviewPage(site));
  }

  @Get('applications')
  applications(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.operators.see(request, reply, async (visitor) => {
      requireConnections(visitor);
      return applicationsPage(visitor, await this.clients.madeAtSite(visitor.site.site_id, MOST));
    });
  }

  @Post('applications')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.operators.act(request, reply, async (visitor, form) => {
      requireConnections(visitor);
      const given = newApplication(form);
      return this.#orList(visitor, async () => createdPage(visitor, await this.actions.create(visitor, given)), given);
    });
  }

  @Post('applications/change')
  change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.operators.act(request, reply, async (visitor, form) => {
      requireConnections(visitor);
      const options = applicationOptions(form);
      return this.#orList(visitor, async () => {
        await this.actions.change(visitor, single(form, 'application') ?? '', options);
        return APPLICATIONS;
      });
    });
  }

  @Post('applications/delete')
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.operators.act(request, reply, async (visitor, form) => {
      requireConnections(visitor);
      await this.actions.delete(visitor, single(form, 'client_id') ?? '');
      return APPLICATIONS;
    });
  }

  @Get('reviews')
  reviews(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.operators.see(request, reply, async (visitor) =>
      reviewsPage(visitor, await this.documents.list(visitor.site.site_id, MOST)),
    );
  }

  @Post('reviews')
  review(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.operators.act(request, reply, async (visitor, form) => {
      const review = REVIEW.find((state) => state === single(form, 'review'));
      if (review === undefined) throw new ApiError('not_found', 'The state does not exist');
      await this.actions.review(visitor, single(form, 'client_id') ?? '', review);
      return REVIEWS;
    });
  }

  @Get('audit')
  log(@Query('before') before: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const cursor = typeof before === 'string' && UUID.test(before) ? before : undefined;
    return this.operators.see(request, reply, async (visitor) =>
      auditPage(visitor, await this.audit.page(visitor.site.site_id, cursor, AUDIT_PAGE)),
    );
  }

  /** What was entered wrong stands above the list, with the form that it was entered in. */
  async #orList(visitor: Visitor, work: () => Promise<Shown>, given?: NewApplication): Promise<Shown> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      const clients = await this.clients.madeAtSite(visitor.site.site_id, MOST);
      return applicationsPage(visitor, clients, { given, fault: error.message });
    }
  }
}
