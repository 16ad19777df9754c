import { Module } from '@nestjs/common';
import { CourseModule } from '#src/courses/course.module.js';
import { ProgressModule } from '#src/progress/progress.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { ProgressCommands } from './progress.commands.js';
import { SiteCommands } from './site-commands.js';

@Module({ imports: [StudentModule, CourseModule, ProgressModule], providers: [SiteCommands, ProgressCommands] })
export class StorefrontModule {}
