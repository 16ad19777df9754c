import { Module } from '@nestjs/common';
import { PeopleConsumer } from './people.consumer.js';
import { PeopleRepository } from './people.repository.js';

@Module({ providers: [PeopleRepository, PeopleConsumer] })
export class PeopleModule {}
