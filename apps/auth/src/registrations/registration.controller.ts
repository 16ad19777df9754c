import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readJson } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { RegistrationService } from './registration.service.js';

/** RFC 7591, for platforms by name and for clients on loopback addresses. */
@Controller(ENDPOINTS.registration)
@UseFilters(OAuthErrorFilter)
export class RegistrationController {
  constructor(private readonly registration: RegistrationService) {}

  @Post()
  async register(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const registered = await this.registration.register(siteOf(request), request.ip, await readJson(request));
    void reply
      .code(201)
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' })
      .send(JSON.stringify(registered));
  }
}
