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

const PAGE = 50;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

type AuditQuery = Readonly<Record<string, unknown>>;

/** The audit log of a site, for its owners and admins. */
@Controller(AUDIT)
@UseFilters(OAuthErrorFilter)
export class AuditController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly audit: AuditService,
  ) {}

  @Get()
  log(@Query() query: AuditQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { before } = query;
    const cursor = typeof before === 'string' && UUID.test(before) ? before.toLowerCase() : undefined;
    return this.guard.show(request, reply, async (context) => {
      const filter = auditFilter(query, readerTimeZone());
      return auditPage(context, filter, await this.audit.page(context.site.site_id, filter, cursor, PAGE));
    });
  }

  @Get('export')
  export(@Query() query: AuditQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, ({ site }) =>
      auditCsv(this.audit.all(site.site_id, auditFilter(query, readerTimeZone()))),
    );
  }
}
