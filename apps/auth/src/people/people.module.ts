import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { Passwords } from './passwords.js';
import { PeopleRepository } from './people.repository.js';
import { PeopleService } from './people.service.js';

@Module({
  imports: [AuditModule, GrantsModule],
  providers: [Passwords, PeopleRepository, PeopleService],
  exports: [PeopleService],
})
export class PeopleModule {}
