import { Module } from '@nestjs/common';
import { FormTokens } from './form-token.js';

@Module({
  providers: [FormTokens],
  exports: [FormTokens],
})
export class PagesModule {}
