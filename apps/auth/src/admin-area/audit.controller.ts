import { Controller, Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import { readerTimeZone } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditFilter } from '#src/audit/audit-filter.policy.js';
import { AuditService } from '#src/audit/audit.service.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { AUDIT } from './admin.page.js';
import { AdminGuard } from './admin.guard.js';
import { auditCsv } from './audit.csv.js';
import { auditPage } from './audit.page.js';
import { queryCursor } from './list-query.js';
import type { ListQuery } from './list-query.js';

const PAGE = 50;

/** The audit log of a site, for its owners and admins. */
@Controller(AUDIT)
@UseFilters(OAuthErrorFilter)
export class AuditController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly audit: AuditService,
  ) {}

  @Get()
  log(@Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const before = queryCursor(query, 'before') ?? undefined;
    return this.guard.show(request, reply, async (context) => {
      const filter = auditFilter(query, readerTimeZone());
      return auditPage(context, filter, await this.audit.page(context.site.site_id, filter, before, PAGE));
    });
  }

  @Get('export')
  export(@Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, ({ site }) =>
      auditCsv(this.audit.all(site.site_id, auditFilter(query, readerTimeZone()))),
    );
  }
}
