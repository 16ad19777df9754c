import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { ViewerResolver } from './viewer.resolver.js';
import { ViewerTools } from './viewer.tools.js';

@Module({ imports: [ReadingModule], providers: [ViewerResolver, ViewerTools] })
export class ViewerModule {}
