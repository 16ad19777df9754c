import { Module } from '@nestjs/common';
import { AppearancesConsumer } from './appearances.consumer.js';
import { AppearancesRepository } from './appearances.repository.js';

@Module({
  providers: [AppearancesConsumer, AppearancesRepository],
})
export class AppearancesModule {}
