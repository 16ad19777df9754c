import { Module } from '@nestjs/common';
import { SchoolsConsumer } from './schools.consumer.js';
import { SchoolsRepository } from './schools.repository.js';

@Module({ providers: [SchoolsRepository, SchoolsConsumer] })
export class SchoolsModule {}
