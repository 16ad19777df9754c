import { Module } from '@nestjs/common';
import { PeopleConsumer } from './people.consumer.js';
import { PeopleCopy } from './people.copy.js';
import { PeopleRepository } from './people.repository.js';

@Module({ providers: [PeopleRepository, PeopleCopy, PeopleConsumer] })
export class PeopleModule {}
