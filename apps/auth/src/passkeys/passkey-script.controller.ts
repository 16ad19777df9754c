import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SCRIPTS, SCRIPT_HEADERS } from '#src/pages/script-file.js';
import { PASSKEY_SCRIPT } from './passkey.script.js';

/** The script of pages with passkeys. */
@Controller(SCRIPTS)
export class PasskeyScriptController {
  @Get(PASSKEY_SCRIPT.name)
  script(@Res() reply: FastifyReply): void {
    void reply.headers(SCRIPT_HEADERS).send(PASSKEY_SCRIPT.text);
  }
}
