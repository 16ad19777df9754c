import type { Site } from '@lyceum/contracts';
import { CurrentSite, Open } from '@lyceum/resource-server';
import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { isFresh } from '#src/answers/etag.policy.js';
import { CONTENT_SECURITY_POLICY } from './reference.page.js';
import { SiteDocuments } from './site-documents.js';

/** The same for everybody, so caches may share it; a new release shows within minutes. */
const CACHE_CONTROL = 'public, max-age=300';

@Open()
@Controller()
export class OpenApiController {
  constructor(private readonly documents: SiteDocuments) {}

  @Get('openapi.json')
  describe(
    @CurrentSite() site: Site,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    void reply.header('access-control-allow-origin', '*');
    this.#send(reply, 'openapi.json', site, known);
  }

  @Get('docs')
  read(
    @CurrentSite() site: Site,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    void reply.headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'no-referrer' });
    this.#send(reply, 'docs', site, known);
  }

  #send(reply: FastifyReply, name: 'openapi.json' | 'docs', site: Site, known: string | undefined): void {
    const { body, etag } = this.documents.get(name, site.base_url);
    const type = name === 'docs' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
    void reply.headers({ etag, 'cache-control': CACHE_CONTROL, vary: 'host', 'x-content-type-options': 'nosniff' });
    if (isFresh(etag, known)) void reply.code(304).send();
    else void reply.type(type).send(body);
  }
}
