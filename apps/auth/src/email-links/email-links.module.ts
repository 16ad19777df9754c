import { Module } from '@nestjs/common';
import { JobsModule } from '@lyceum/jobs';
import { AccountsModule } from '#src/accounts/accounts.module.js';
import { AuditModule } from '#src/audit/audit.module.js';
import { InvitationsModule } from '#src/invitations/invitations.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { MailsModule } from '#src/mails/mails.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { RepeatedFormsModule } from '#src/repeated-forms/repeated-forms.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ProviderModule } from '#src/provider/provider.module.js';
import { SignInsModule } from '#src/sign-ins/sign-ins.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { AccountEmailLinksController } from './account-email-links.controller.js';
import { EmailLinkController } from './email-link.controller.js';
import { EmailLinkForms } from './email-link-forms.service.js';
import { EmailLinkLimits } from './email-link-limits.js';
import { EmailLinkMails } from './email-link-mails.service.js';
import { EmailLinkRequestsQueue } from './email-link-requests.queue.js';
import { EmailLinkRequestsWorker } from './email-link-requests.worker.js';
import { EmailLinkSteps } from './email-link-steps.service.js';
import { EmailLinksRepository } from './email-links.repository.js';
import { EmailLinks } from './email-links.service.js';
import { SignUps } from './sign-ups.service.js';
import { InteractionEmailLinksController } from './interaction-email-links.controller.js';

/** Sign-up, and sign-in by email, for the sites that offer them (ADR 112). */
@Module({
  imports: [
    AccountsModule,
    AuditModule,
    InvitationsModule,
    JobsModule,
    LimitsModule,
    MailsModule,
    MembersModule,
    PagesModule,
    PeopleModule,
    ProviderModule,
    SignInsModule,
    SitesModule,
    RepeatedFormsModule,
  ],
  controllers: [AccountEmailLinksController, EmailLinkController, InteractionEmailLinksController],
  providers: [
    EmailLinkForms,
    EmailLinkLimits,
    EmailLinkMails,
    EmailLinkRequestsQueue,
    EmailLinkRequestsWorker,
    EmailLinks,
    EmailLinksRepository,
    EmailLinkSteps,
    SignUps,
  ],
})
export class EmailLinksModule {}
