import { Module } from '@nestjs/common';
import { DescribePersonResponder } from './describe-person.responder.js';
import { PeopleModule } from './people.module.js';

/** Answers requests of other services. Not part of the command line, which must not take requests. */
@Module({
  imports: [PeopleModule],
  providers: [DescribePersonResponder],
})
export class PersonRequestsModule {}
