import { Module } from '@nestjs/common';
import { LimitsModule } from '#src/limits/limits.module.js';
import { InvitationsModule } from './invitations.module.js';
import { WelcomeMails } from './welcome-mails.js';

/** Only the service imports it, because subcommands have no limits. */
@Module({
  imports: [InvitationsModule, LimitsModule],
  providers: [WelcomeMails],
  exports: [WelcomeMails],
})
export class WelcomeMailsModule {}
