import { Module } from '@nestjs/common';
import { CsrfTokens } from './csrf-tokens.js';
import { PageScriptController } from './page-script.controller.js';

@Module({
  controllers: [PageScriptController],
  providers: [CsrfTokens],
  exports: [CsrfTokens],
})
export class PagesModule {}
