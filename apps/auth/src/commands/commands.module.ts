import { Module } from '@nestjs/common';
import { DocumentAdministration } from '#src/cimd/document.administration.js';
import { Administration } from './administration.js';
import { ApplySeed } from './apply.js';

const COMMANDS = [Administration, ApplySeed, DocumentAdministration];

/** For the command line, and for tests that set a stage. */
@Module({ providers: COMMANDS, exports: COMMANDS })
export class CommandsModule {}
