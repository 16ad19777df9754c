import { Module } from '@nestjs/common';
import { CourseController } from './course.controller.js';
import { CourseRepository } from './course.repository.js';
import { CourseService } from './course.service.js';
import { CourseTools } from './course.tools.js';
import { CourseWriteTools } from './course.write.tools.js';

@Module({
  controllers: [CourseController],
  providers: [CourseService, CourseRepository, CourseTools, CourseWriteTools],
  exports: [CourseService],
})
export class CourseModule {}
