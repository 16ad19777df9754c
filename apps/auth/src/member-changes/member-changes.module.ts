import { Module } from '@nestjs/common';
import { WelcomeMailsModule } from '#src/invitations/welcome-mails.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { MemberChangesResponder } from './member-changes.responder.js';
import { MemberChangesService } from './member-changes.service.js';
import { MemberRequestsRepository } from './member-requests.repository.js';

/**
 * Changes memberships for admin-api and for the admin area. Only the service imports it, because subcommands must not
 * handle requests.
 */
@Module({
  imports: [MembersModule, PeopleModule, SitesModule, WelcomeMailsModule],
  providers: [MemberChangesResponder, MemberChangesService, MemberRequestsRepository],
  exports: [MemberChangesService],
})
export class MemberChangesModule {}
