import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { ClientLogosModule } from '#src/client-logos/client-logos.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { ConsentsModule } from '#src/consents/consents.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { NoticesModule } from '#src/notices/notices.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { PasskeysModule } from '#src/passkeys/passkeys.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ProviderModule } from '#src/provider/provider.module.js';
import { AccountChooserController } from './account-chooser.controller.js';
import { AccountChooser } from './account-chooser.service.js';
import { ConsentDecisions } from './consent-decisions.js';
import { InteractionController } from './interaction.controller.js';
import { InteractionService } from './interaction.service.js';
import { KnownDevices } from './known-devices.js';
import { PasswordProof } from './password-proof.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInService } from './sign-in.service.js';
import { SiteSignIn } from './site-sign-in.js';

@Module({
  imports: [
    AuditModule,
    ClientLogosModule,
    ClientsModule,
    ConsentsModule,
    LimitsModule,
    MembersModule,
    NoticesModule,
    PagesModule,
    PasskeysModule,
    PeopleModule,
    ProviderModule,
  ],
  controllers: [AccountChooserController, InteractionController],
  providers: [
    AccountChooser,
    ConsentDecisions,
    InteractionService,
    KnownDevices,
    PasswordProof,
    SignInAttemptsRepository,
    SignInLimits,
    SignInService,
    SiteSignIn,
  ],
  exports: [KnownDevices, PasswordProof, SignInService],
})
export class SignInsModule {}
