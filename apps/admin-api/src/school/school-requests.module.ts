import { Module } from '@nestjs/common';
import { SchoolSettingsModule } from './school-settings.module.js';
import { SchoolResponder } from './school.responder.js';

/** Handles requests of auth. Only the service imports it, because subcommands must not handle requests. */
@Module({ imports: [SchoolSettingsModule], providers: [SchoolResponder] })
export class SchoolRequestsModule {}
