import { Module } from '@nestjs/common';
import { FileModule } from '#src/files/file.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { PictureService } from './picture.service.js';

@Module({ imports: [FileModule, SchoolSettingsModule], providers: [PictureService], exports: [PictureService] })
export class PictureModule {}
