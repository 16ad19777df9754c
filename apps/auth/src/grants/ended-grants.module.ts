import { Module } from '@nestjs/common';
import { EndedGrantsSweeper } from './ended-grants.sweeper.js';
import { GrantsModule } from './grants.module.js';

/** Only the service imports it, because subcommands end before a turn does. */
@Module({ imports: [GrantsModule], providers: [EndedGrantsSweeper] })
export class EndedGrantsModule {}
