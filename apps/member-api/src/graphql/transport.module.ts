import { RateLimitModule } from '@lyceum/rate-limit';
import { Module } from '@nestjs/common';
import { Cors } from './cors.js';
import { ErrorFormatter } from './error.formatter.js';
import { GraphqlGate } from './gate.js';
import { RefusalWriter } from './refusal.writer.js';

/** The HTTP layer around Apollo. */
@Module({
  imports: [RateLimitModule],
  providers: [Cors, GraphqlGate, RefusalWriter, ErrorFormatter],
  exports: [Cors, GraphqlGate, RefusalWriter, ErrorFormatter],
})
export class TransportModule {}
