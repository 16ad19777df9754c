import { Module } from '@nestjs/common';
import { InvitationsModule } from '#src/invitations/invitations.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { ResendInvitationResponder } from './resend-invitation.responder.js';
import { StudentsConsumer } from './students.consumer.js';
import { StudentsRepository } from './students.repository.js';
import { StudentsService } from './students.service.js';
import { WelcomeMails } from './welcome-mails.js';

@Module({
  imports: [InvitationsModule, LimitsModule, MembersModule, PeopleModule, SitesModule],
  providers: [ResendInvitationResponder, StudentsConsumer, StudentsRepository, StudentsService, WelcomeMails],
})
export class StudentsModule {}
