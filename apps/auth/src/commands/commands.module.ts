import { Module } from '@nestjs/common';
import { Administration } from './administration.js';
import { ApplySeed } from './apply.js';

/** For the command line, and for tests that set a stage. */
@Module({ providers: [ApplySeed, Administration], exports: [ApplySeed, Administration] })
export class CommandsModule {}
