import { Module } from '@nestjs/common';
import { SchoolRepository } from './school.repository.js';
import { SchoolService } from './school.service.js';

@Module({ providers: [SchoolService, SchoolRepository], exports: [SchoolService] })
export class SchoolSettingsModule {}
