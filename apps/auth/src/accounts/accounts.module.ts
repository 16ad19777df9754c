import { Module } from '@nestjs/common';
import { ApplicationsModule } from '#src/applications/applications.module.js';
import { SignInsModule } from '#src/sign-ins/sign-ins.module.js';
import { MailsModule } from '#src/mails/mails.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { PasskeysModule } from '#src/passkeys/passkeys.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ProviderModule } from '#src/provider/provider.module.js';
import { AccountSignIn } from './account-sign-in.js';
import { AccountController } from './account.controller.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasswordChangeController } from './password-change.controller.js';
import { PasswordChangeService } from './password-change.service.js';
import { ProfileController } from './profile.controller.js';
import { AccountSessionGuard } from './account-session.guard.js';

@Module({
  imports: [
    ApplicationsModule,
    SignInsModule,
    MailsModule,
    MembersModule,
    PagesModule,
    PasskeysModule,
    PeopleModule,
    ProviderModule,
  ],
  controllers: [AccountController, PasskeysController, PasswordChangeController, ProfileController],
  providers: [AccountSignIn, AccountSessionGuard, PasswordChangeService],
  exports: [AccountSessionGuard],
})
export class AccountsModule {}
