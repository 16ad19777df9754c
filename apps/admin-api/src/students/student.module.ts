import { Module } from '@nestjs/common';
import { StudentController } from './student.controller.js';
import { StudentRepository } from './student.repository.js';
import { StudentService } from './student.service.js';
import { StudentTools } from './student.tools.js';

@Module({
  controllers: [StudentController],
  providers: [StudentService, StudentRepository, StudentTools],
  exports: [StudentService],
})
export class StudentModule {}
