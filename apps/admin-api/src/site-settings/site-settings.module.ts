import { Module } from '@nestjs/common';
import { FileModule } from '#src/files/file.module.js';
import { AppearanceModule } from '#src/appearance/appearance.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { ReceivedPictures } from './received-pictures.js';
import { SiteSettingsResponder } from './site-settings.responder.js';

/** Handles requests of auth. Only the service imports it, because subcommands must not handle requests. */
@Module({
  imports: [AppearanceModule, FileModule, SchoolSettingsModule],
  providers: [ReceivedPictures, SiteSettingsResponder],
})
export class SiteSettingsModule {}
