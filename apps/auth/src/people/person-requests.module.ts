import { Module } from '@nestjs/common';
import { DescribePersonResponder } from './describe-person.responder.js';
import { PeopleModule } from './people.module.js';

/** Handles requests of other services. The command line does not import it, because it must not consume requests. */
@Module({
  imports: [PeopleModule],
  providers: [DescribePersonResponder],
})
export class PersonRequestsModule {}
