import { Module } from '@nestjs/common';
import { JobsModule } from '@lyceum/jobs';
import { InvitationsModule } from '#src/invitations/invitations.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { MailsModule } from '#src/mails/mails.module.js';
import { SignInsModule } from '#src/sign-ins/sign-ins.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { RepeatedFormsModule } from '#src/repeated-forms/repeated-forms.module.js';
import { PasskeysModule } from '#src/passkeys/passkeys.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ProviderModule } from '#src/provider/provider.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { InvitationController } from './invitation.controller.js';
import { PasswordLinks } from './password-links.service.js';
import { PasswordResetLimits } from './password-reset-limits.js';
import { PasswordResetController } from './password-reset.controller.js';
import { ResetRequestsQueue } from './reset-requests.queue.js';
import { ResetRequestsWorker } from './reset-requests.worker.js';

@Module({
  imports: [
    InvitationsModule,
    JobsModule,
    LimitsModule,
    MailsModule,
    SignInsModule,
    PagesModule,
    PasskeysModule,
    PeopleModule,
    ProviderModule,
    SitesModule,
    RepeatedFormsModule,
  ],
  controllers: [InvitationController, PasswordResetController],
  providers: [PasswordLinks, PasswordResetLimits, ResetRequestsQueue, ResetRequestsWorker],
})
export class PasswordLinksModule {}
