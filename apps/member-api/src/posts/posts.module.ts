import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalogue } from '#src/reading/source-catalogue.js';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { PostsConsumer } from './posts.consumer.js';
import { PostsRepository, postSources } from './posts.repository.js';

@Module({ imports: [ReadingModule, FanOutsModule], providers: [PostsRepository, PostsConsumer] })
export class PostsModule {
  constructor(catalogue: SourceCatalogue) {
    catalogue.add(postSources);
  }
}
