import { Module } from '@nestjs/common';
import { WritesModule } from '#src/writes/writes.module.js';
import { StudentController } from './student.controller.js';
import { StudentRepository } from './student.repository.js';
import { StudentService } from './student.service.js';

@Module({
  imports: [WritesModule],
  controllers: [StudentController],
  providers: [StudentService, StudentRepository],
  exports: [StudentService],
})
export class StudentModule {}
