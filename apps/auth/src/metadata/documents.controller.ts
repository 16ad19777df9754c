import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { wantsPage } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCached } from '#src/edge/cached-document.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { sendPage } from '#src/pages/page.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { AuthSettings } from '#src/auth.environment.js';
import { CATALOG_TYPE, apiCatalog, catalogLink } from './api-catalog.js';
import { guide } from './guide.js';
import { guideReadingPage } from './guide.page.js';
import { agentIndex } from './agent-index.js';
import { landingPage } from './landing.page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { authorizationServerMetadata, protectedResourceMetadata } from './metadata.documents.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Scripts of all origins may read the documents. */
function send(request: FastifyRequest, reply: FastifyReply, type: string, body: string, vary = 'Host, Origin'): void {
  const headers = { 'content-type': type, vary, 'access-control-allow-origin': '*' };
  sendCached(request, reply, headers, body);
}

/** True for a browser. Agents that also accept HTML name Markdown. */
const readsPage = ({ headers: { accept } }: FastifyRequest): boolean =>
  wantsPage(accept) && !/text\/(?:markdown|plain)/i.test(accept ?? '');

/** Metadata of a site for machines, and a landing page for people. */
@Controller()
export class DocumentsController {
  constructor(
    private readonly keyRing: KeyRing,
    private readonly settings: AuthSettings,
  ) {}

  @Get([ENDPOINTS.authorizationServerMetadata, ENDPOINTS.openidConfiguration])
  async authorizationServer(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { signing } = await this.keyRing.current();
    send(request, reply, JSON_TYPE, JSON.stringify(authorizationServerMetadata(siteOf(request), signing)));
  }

  @Get([ENDPOINTS.protectedResourceMetadata, `${ENDPOINTS.protectedResourceMetadata}/*`])
  protectedResource(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const path = (request.url.split('?', 1)[0] ?? '').slice(ENDPOINTS.protectedResourceMetadata.length);
    const document = protectedResourceMetadata(siteOf(request), path);
    if (document === undefined) throw new ApiError('not_found', 'No protected resource has this path; see /auth.md.');
    send(request, reply, JSON_TYPE, JSON.stringify(document));
  }

  @Get(ENDPOINTS.jwks)
  async jwks(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { publicKeys } = await this.keyRing.current();
    // RFC 7517 §8.5.2
    send(request, reply, 'application/jwk-set+json', JSON.stringify({ keys: publicKeys }));
  }

  @Get(ENDPOINTS.apiCatalog)
  apiCatalog(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const site = siteOf(request);
    void reply.header('link', catalogLink(site));
    send(request, reply, CATALOG_TYPE, JSON.stringify(apiCatalog(site)));
  }

  @Get(ENDPOINTS.guide)
  guide(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { DEVELOPER_INFO_URL: developerInfoUrl, REFRESH_REPEAT_SECONDS: repeatSeconds } = this.settings.values;
    const site = siteOf(request);
    const text = guide(site, { developerInfoUrl, repeatSeconds });
    if (readsPage(request)) return sendPage(reply, guideReadingPage(site, text));
    send(request, reply, 'text/markdown; charset=utf-8', text, 'Host, Origin, Accept');
  }

  @Get(ENDPOINTS.agentIndex)
  agentIndex(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    send(request, reply, 'text/plain; charset=utf-8', agentIndex(siteOf(request)));
  }

  @Get('/')
  landing(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const site = siteOf(request);
    const { status, headers, body } = landingPage(site);
    void reply.code(status).headers(headers).header('link', catalogLink(site)).send(body);
  }
}
