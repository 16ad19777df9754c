import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { ADMIN, overviewPage } from './admin.page.js';
import { AdminGuard } from './admin.guard.js';

/** The area of a site's owners and admins. */
@Controller(ADMIN)
@UseFilters(OAuthErrorFilter)
export class AdminController {
  constructor(private readonly guard: AdminGuard) {}

  @Get()
  index(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, overviewPage);
  }
}
