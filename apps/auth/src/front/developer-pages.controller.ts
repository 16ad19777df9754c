import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { GUIDES } from '@lyceum/docs';
import { ApiError } from '@lyceum/errors';
import { wantsPage } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientsService } from '#src/clients/clients.service.js';
import { sendCached } from '#src/edge/cached-document.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { notFoundPage } from '#src/edge/not-found.page.js';
import { sendPage } from '#src/pages/page.js';
import { COMPATIBILITY, EXPLORER, GUIDES_PATH, REFERENCE } from '#src/protocol/paths.js';
import { explorerPage } from './explorer.page.js';
import { guideIndexPage, guideMarkdown, guidePage } from './guides.page.js';
import { referencePage } from './reference.page.js';

/** Pages for developers. They are the same for every visitor of a site. */
@Controller()
export class DeveloperPagesController {
  constructor(private readonly clients: ClientsService) {}

  @Get(REFERENCE)
  async reference(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    sendPage(reply, referencePage(site, (await this.clients.ofPages(site)).reference));
  }

  @Get(EXPLORER)
  async explorer(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    sendPage(reply, explorerPage(site, (await this.clients.ofPages(site)).explorer));
  }

  @Get(GUIDES_PATH)
  guides(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(reply, guideIndexPage(siteOf(request)));
  }

  @Get(COMPATIBILITY)
  compatibility(@Res() reply: FastifyReply): void {
    void reply.redirect(`${GUIDES_PATH}/compatibility`, 302);
  }

  @Get(`${GUIDES_PATH}/:file`)
  guide(@Param('file') file: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const site = siteOf(request);
    const guide = GUIDES.get(file.replace(/\.md$/, ''));
    if (guide === undefined) {
      if (wantsPage(request.headers.accept)) return sendPage(reply, notFoundPage(site));
      throw new ApiError('not_found', `This guide does not exist. ${GUIDES_PATH} lists all guides`);
    }
    if (!file.endsWith('.md')) return sendPage(reply, guidePage(site, guide));
    const headers = { 'content-type': 'text/markdown; charset=utf-8', 'access-control-allow-origin': '*' };
    sendCached(request, reply, headers, guideMarkdown(site, guide));
  }
}
