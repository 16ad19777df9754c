import { Module } from '@nestjs/common';
import { LecturerRepository } from './lecturer.repository.js';
import { LecturerService } from './lecturer.service.js';
import { LecturerTools } from './lecturer.tools.js';

@Module({ providers: [LecturerService, LecturerRepository, LecturerTools], exports: [LecturerService] })
export class LecturerModule {}
