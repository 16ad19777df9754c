import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { PostsConsumer } from './posts.consumer.js';
import { PostsRepository, postSources } from './posts.repository.js';

@Module({ imports: [ReadingModule, FanOutsModule], providers: [PostsRepository, PostsConsumer] })
export class PostsModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(postSources);
  }
}
