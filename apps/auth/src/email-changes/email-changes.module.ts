import { Module } from '@nestjs/common';
import { AccountsModule } from '#src/accounts/accounts.module.js';
import { AuditModule } from '#src/audit/audit.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { MailsModule } from '#src/mails/mails.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { SignInsModule } from '#src/sign-ins/sign-ins.module.js';
import { EmailChangeController } from './email-change.controller.js';
import { EmailChangeLimits } from './email-change-limits.js';
import { EmailChangesRepository } from './email-changes.repository.js';
import { EmailChangesService } from './email-changes.service.js';
import { EmailChangeLinkController } from './email-change-link.controller.js';

@Module({
  imports: [AccountsModule, AuditModule, LimitsModule, MailsModule, MembersModule, PagesModule, SignInsModule],
  controllers: [EmailChangeController, EmailChangeLinkController],
  providers: [EmailChangeLimits, EmailChangesRepository, EmailChangesService],
})
export class EmailChangesModule {}
