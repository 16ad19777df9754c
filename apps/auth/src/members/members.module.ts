import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';

@Module({
  imports: [AuditModule, GrantsModule, PeopleModule],
  providers: [MembersRepository, MembersService],
  exports: [MembersService],
})
export class MembersModule {}
