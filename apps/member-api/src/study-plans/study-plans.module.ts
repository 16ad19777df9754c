import { Module } from '@nestjs/common';
import { ViewerModule } from '#src/viewer/viewer.module.js';
import { StudyPlansPrompts } from './study-plans.prompts.js';

@Module({ imports: [ViewerModule], providers: [StudyPlansPrompts] })
export class StudyPlansModule {}
