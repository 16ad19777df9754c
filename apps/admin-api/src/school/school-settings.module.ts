import { Module } from '@nestjs/common';
import { SchoolController } from './school.controller.js';
import { SchoolRepository } from './school.repository.js';
import { SchoolService } from './school.service.js';

@Module({ controllers: [SchoolController], providers: [SchoolService, SchoolRepository], exports: [SchoolService] })
export class SchoolSettingsModule {}
