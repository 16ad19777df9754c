import { Module } from '@nestjs/common';
import { ErrorFormatter } from './error.formatter.js';
import { Gate } from './gate.js';
import { RefusalWriter } from './refusal.writer.js';

/** What stands around Apollo. */
@Module({ providers: [Gate, RefusalWriter, ErrorFormatter], exports: [Gate, RefusalWriter, ErrorFormatter] })
export class TransportModule {}
