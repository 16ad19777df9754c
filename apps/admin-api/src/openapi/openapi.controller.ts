import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { acceptsCoding } from '@lyceum/platform';
import { CurrentSite, Open } from '@lyceum/resource-server';
import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { isFresh } from '@lyceum/rest';
import { ApiDocuments } from './api-documents.js';
import { CONTENT_SECURITY_POLICY } from './reference.page.js';
import type { SiteDocument } from './site-document.js';

/** The document is public, so caches may share it. A new release is visible within minutes. */
const CACHE_CONTROL = 'public, max-age=300';

@Open()
@Controller()
export class OpenApiController {
  constructor(private readonly documents: ApiDocuments) {}

  /** The reference loads this document in browsers, and it is large: compressed for clients that accept gzip. */
  @Get('openapi.json')
  async describe(
    @CurrentSite() site: Site,
    @Headers('if-none-match') known: string | undefined,
    @Headers('accept-encoding') accepted: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { description } = this.documents;
    void reply.type('application/json; charset=utf-8');
    void reply.headers({ 'access-control-allow-origin': '*', vary: 'host, accept-encoding' });
    if (!acceptsCoding(accepted, 'gzip')) return send(reply, description, site, known);
    // Each coding has a validator of its own (RFC 9110 §8.8.3.3).
    const etag = description.etag.replace(/"$/, '-gzip"');
    void reply.headers({ etag, 'cache-control': CACHE_CONTROL });
    if (isFresh(etag, known)) return void reply.code(304).send();
    const body = await description.compressedAt(site.base_url);
    void reply.header('content-encoding', 'gzip').send(body);
  }

  /** The reference without scripts. The edge leads `/docs` to auth, which serves the one with them. */
  @Get('docs/operations')
  read(
    @CurrentSite() site: Site,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    void reply.type('text/html; charset=utf-8');
    void reply.headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'no-referrer' });
    send(reply, this.documents.page, site, known);
  }

  @Get('docs/errors')
  errorIndex(
    @CurrentSite() site: Site,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    this.error(site, '', known, reply);
  }

  @Get('docs/errors/:code')
  error(
    @CurrentSite() site: Site,
    @Param('code') code: string,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const page = this.documents.errors.get(code);
    if (page === undefined) throw new ApiError('not_found', 'This code does not exist. /docs/errors lists all codes');
    void reply.type(`${page.type}; charset=utf-8`).header('access-control-allow-origin', '*');
    void reply.headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'no-referrer' });
    send(reply, page.document, site, known);
  }

  /** The guides list the recipes for people. */
  @Get('docs/clients')
  recipes(@Res() reply: FastifyReply): void {
    void reply.header('cache-control', CACHE_CONTROL).redirect('/docs/guides#recipes', 302);
  }

  @Get('docs/clients/:file')
  recipe(
    @CurrentSite() site: Site,
    @Param('file') file: string,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const recipe = this.documents.recipes.get(file);
    if (recipe === undefined) throw new ApiError('not_found', 'This recipe does not exist');
    void reply.type('text/markdown; charset=utf-8').header('access-control-allow-origin', '*');
    send(reply, recipe, site, known);
  }
}

function send(reply: FastifyReply, document: SiteDocument, site: Site, known: string | undefined): void {
  const { etag } = document;
  void reply.headers({ etag, 'cache-control': CACHE_CONTROL });
  if (!reply.hasHeader('vary')) void reply.header('vary', 'host');
  if (isFresh(etag, known)) void reply.code(304).send();
  else void reply.send(document.at(site.base_url));
}
