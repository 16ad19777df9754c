import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { MemberDirectoryRepository } from './member-directory.repository.js';
import { MemberDirectory } from './member-directory.service.js';
import { MembersOfDeletedSite } from './members-of-deleted-site.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';

@Module({
  imports: [AuditModule, GrantsModule, PeopleModule],
  providers: [MemberDirectory, MemberDirectoryRepository, MembersOfDeletedSite, MembersRepository, MembersService],
  exports: [MemberDirectory, MembersOfDeletedSite, MembersService],
})
export class MembersModule {}
