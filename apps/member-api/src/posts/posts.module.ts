import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { PostsConsumer } from './posts.consumer.js';
import { PostsRepository } from './posts.repository.js';

@Module({ imports: [FanOutsModule], providers: [PostsRepository, PostsConsumer] })
export class PostsModule {}
