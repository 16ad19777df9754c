import { Module } from '@nestjs/common';
import { MemberErasuresRepository } from './member-erasures.repository.js';
import { PeopleConsumer } from './people.consumer.js';
import { PeopleRepository } from './people.repository.js';

@Module({ providers: [PeopleRepository, PeopleConsumer, MemberErasuresRepository] })
export class PeopleModule {}
