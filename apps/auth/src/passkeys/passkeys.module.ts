import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { MailsModule } from '#src/mails/mails.module.js';
import { ChallengesRepository } from './challenges.repository.js';
import { PasskeyScriptController } from './passkey-script.controller.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { PasskeysService } from './passkeys.service.js';

@Module({
  imports: [AuditModule, MailsModule],
  controllers: [PasskeyScriptController],
  providers: [ChallengesRepository, PasskeysRepository, PasskeysService],
  exports: [PasskeysService],
})
export class PasskeysModule {}
