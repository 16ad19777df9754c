import { Module } from '@nestjs/common';
import { ClientDocumentsModule } from '#src/client-documents/client-documents.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { InvitationsModule } from '#src/invitations/invitations.module.js';
import { KeysModule } from '#src/keys/keys.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { Administration } from './administration.js';
import { ApplySeed } from './apply.js';

/** Provides the commands to the command line and to tests. */
@Module({
  imports: [
    ClientDocumentsModule,
    ClientsModule,
    InvitationsModule,
    KeysModule,
    MembersModule,
    PeopleModule,
    SitesModule,
  ],
  providers: [Administration, ApplySeed],
  exports: [Administration, ApplySeed],
})
export class CommandsModule {}
