import { Module } from '@nestjs/common';
import { CourseModule } from '#src/courses/course.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { ReportPrompts } from './report.prompts.js';

@Module({ imports: [CourseModule, StudentModule], providers: [ReportPrompts] })
export class ReportModule {}
