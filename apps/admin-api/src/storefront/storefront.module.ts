import { Module } from '@nestjs/common';
import { CourseModule } from '#src/courses/course.module.js';
import { ProgressModule } from '#src/progress/progress.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { StorefrontCommands } from './storefront.commands.js';

@Module({ imports: [StudentModule, CourseModule, ProgressModule], providers: [StorefrontCommands] })
export class StorefrontModule {}
