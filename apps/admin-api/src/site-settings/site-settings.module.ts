import { Module } from '@nestjs/common';
import { AppearanceModule } from '#src/appearance/appearance.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { SiteSettingsResponder } from './site-settings.responder.js';

/** Handles requests of auth. Only the service imports it, because subcommands must not handle requests. */
@Module({ imports: [AppearanceModule, SchoolSettingsModule], providers: [SiteSettingsResponder] })
export class SiteSettingsModule {}
