import { Module } from '@nestjs/common';
import { WelcomeMailsModule } from '#src/invitations/welcome-mails.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { ResendInvitationResponder } from './resend-invitation.responder.js';
import { StudentsConsumer } from './students.consumer.js';
import { StudentsRepository } from './students.repository.js';
import { StudentsService } from './students.service.js';

@Module({
  imports: [MembersModule, PeopleModule, SitesModule, WelcomeMailsModule],
  providers: [ResendInvitationResponder, StudentsConsumer, StudentsRepository, StudentsService],
})
export class StudentsModule {}
