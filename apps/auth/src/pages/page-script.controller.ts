import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PAGE_SCRIPT } from './page.script.js';
import { SCRIPTS, SCRIPT_HEADERS } from './script-file.js';

/** The script of all pages. */
@Controller(SCRIPTS)
export class PageScriptController {
  @Get(PAGE_SCRIPT.name)
  script(@Res() reply: FastifyReply): void {
    void reply.headers(SCRIPT_HEADERS).send(PAGE_SCRIPT.text);
  }
}
