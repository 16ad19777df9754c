import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { STYLE, themeStyle } from '@lyceum/pages';
import { sendCached } from '#src/edge/cached-document.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { PAGE_SCRIPT } from '#src/pages/page.script.js';
import { SCRIPTS, SCRIPT_HEADERS } from '#src/pages/script-file.js';

/** The look of the site, for pages of other services: they know these two addresses. */
@Controller()
export class LookController {
  @Get('/account/style.css')
  style(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { theme } = siteOf(request).appearance;
    sendCached(request, reply, { 'content-type': 'text/css; charset=utf-8' }, STYLE + themeStyle(theme));
  }

  @Get(`${SCRIPTS}/page.js`)
  script(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendCached(request, reply, { 'content-type': SCRIPT_HEADERS['content-type'] }, PAGE_SCRIPT.text);
  }
}
