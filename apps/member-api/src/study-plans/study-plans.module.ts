import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { StudyPlansPrompts } from './study-plans.prompts.js';

@Module({ imports: [ReadingModule], providers: [StudyPlansPrompts] })
export class StudyPlansModule {}
