import { Module } from '@nestjs/common';
import { LecturerController } from './lecturer.controller.js';
import { LecturerRepository } from './lecturer.repository.js';
import { LecturerService } from './lecturer.service.js';
import { LecturerTools } from './lecturer.tools.js';

@Module({
  controllers: [LecturerController],
  providers: [LecturerService, LecturerRepository, LecturerTools],
  exports: [LecturerService],
})
export class LecturerModule {}
