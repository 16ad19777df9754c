import { Module } from '@nestjs/common';
import { InvitationsModule } from '#src/invitations/invitations.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { SignInsModule } from '#src/sign-ins/sign-ins.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { PasskeysModule } from '#src/passkeys/passkeys.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { InvitationController } from './invitation.controller.js';
import { PasswordLinks } from './password-links.service.js';
import { PasswordResetLimits } from './password-reset-limits.js';
import { PasswordResetController } from './password-reset.controller.js';

@Module({
  imports: [InvitationsModule, LimitsModule, SignInsModule, PagesModule, PasskeysModule, PeopleModule],
  controllers: [InvitationController, PasswordResetController],
  providers: [PasswordLinks, PasswordResetLimits],
})
export class PasswordLinksModule {}
