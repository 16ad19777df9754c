import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { acceptsCoding } from '@lyceum/platform';
import { CurrentSite, Open, sendNotFoundPage } from '@lyceum/resource-server';
import { Controller, Get, Headers, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFresh } from '@lyceum/rest';
import { ApiDocuments } from './api-documents.js';
import type { SiteDocument } from './site-document.js';
import type { SitePage } from './site-page.js';

/** The document is public, so caches may share it. A new release is visible within minutes. */
const CACHE_CONTROL = 'public, max-age=300';

@Controller()
export class OpenApiController {
  constructor(private readonly documents: ApiDocuments) {}

  /** The reference loads this document in browsers, and it is large: compressed for clients that accept gzip. */
  @Get('openapi.json')
  @Open()
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
  @Open()
  read(
    @CurrentSite() site: Site,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    sendPage(reply, this.documents.page, site, known);
  }

  @Get('docs/errors')
  @Open()
  errorIndex(@CurrentSite() site: Site, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.error(site, '', request, reply);
  }

  /** People get a page for an unknown code. */
  @Get('docs/errors/:code')
  @Open()
  error(
    @CurrentSite() site: Site,
    @Param('code') code: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const known = request.headers['if-none-match'];
    const page = this.documents.errors.get(code);
    const text = this.documents.errorMarkdown.get(code);
    if (page === undefined && text === undefined && sendNotFoundPage(request, reply)) return;
    void reply.header('access-control-allow-origin', '*');
    if (page !== undefined) return sendPage(reply, page, site, known);
    if (text === undefined) throw new ApiError('not_found', 'This code does not exist. /docs/errors lists all codes');
    void reply.type('text/markdown; charset=utf-8');
    send(reply, text, site, known);
  }

  /** The guides list the recipes for people. */
  @Get('docs/clients')
  @Open()
  recipes(@Res() reply: FastifyReply): void {
    void reply.header('cache-control', CACHE_CONTROL).redirect('/docs/guides#recipes', 302);
  }

  @Get('docs/clients/:file')
  @Open()
  recipe(
    @CurrentSite() site: Site,
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const recipe = this.documents.recipes.get(file);
    if (recipe === undefined && sendNotFoundPage(request, reply)) return;
    if (recipe === undefined) throw new ApiError('not_found', 'This recipe does not exist');
    void reply.type('text/markdown; charset=utf-8').header('access-control-allow-origin', '*');
    send(reply, recipe, site, request.headers['if-none-match']);
  }
}

function send(reply: FastifyReply, document: SiteDocument, site: Site, known: string | undefined): void {
  const { etag } = document;
  void reply.headers({ etag, 'cache-control': CACHE_CONTROL });
  if (!reply.hasHeader('vary')) void reply.header('vary', 'host');
  if (isFresh(etag, known)) void reply.code(304).send();
  else void reply.send(document.at(site.base_url));
}

function sendPage(reply: FastifyReply, page: SitePage, site: Site, known: string | undefined): void {
  const { headers, body } = page.at(site);
  void reply.headers({ ...headers, 'cache-control': CACHE_CONTROL });
  if (isFresh(headers['etag'] ?? '', known)) void reply.code(304).send();
  else void reply.send(body);
}
