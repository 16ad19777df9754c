import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PASSKEY_SCRIPT_NAME, PASSKEY_SCRIPT_TEXT, SCRIPTS } from './passkey.script.js';

const YEAR_SECONDS = 31_536_000;

/** The only script of the pages. Its URL changes with its content. */
@Controller(SCRIPTS)
export class PasskeyScriptController {
  @Get(PASSKEY_SCRIPT_NAME)
  script(@Res() reply: FastifyReply): void {
    void reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
        'cross-origin-resource-policy': 'same-origin',
      })
      .send(PASSKEY_SCRIPT_TEXT);
  }
}
