import { Module } from '@nestjs/common';
import { SchoolsConsumer } from './schools.consumer.js';
import { SchoolsCopy } from './schools.copy.js';
import { SchoolsRepository } from './schools.repository.js';

@Module({ providers: [SchoolsRepository, SchoolsCopy, SchoolsConsumer] })
export class SchoolsModule {}
