import { Module } from '@nestjs/common';
import { AccountsModule } from '#src/accounts/accounts.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { SignInsModule } from '#src/sign-ins/sign-ins.module.js';
import { DepartureController } from './departure.controller.js';
import { DeparturesService } from './departures.service.js';

@Module({
  imports: [AccountsModule, MembersModule, PeopleModule, SignInsModule],
  controllers: [DepartureController],
  providers: [DeparturesService],
  exports: [DeparturesService],
})
export class DeparturesModule {}
