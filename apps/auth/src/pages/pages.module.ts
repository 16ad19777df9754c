import { Module } from '@nestjs/common';
import { CsrfTokens } from './csrf-tokens.js';

@Module({
  providers: [CsrfTokens],
  exports: [CsrfTokens],
})
export class PagesModule {}
