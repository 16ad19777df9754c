import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { NodesResolver } from './nodes.resolver.js';

@Module({ imports: [ReadingModule], providers: [NodesResolver] })
export class NodesModule {}
