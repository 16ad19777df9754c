import { Module } from '@nestjs/common';
import { ApplicationsModule } from '#src/applications/applications.module.js';
import { LoginModule } from '#src/login/login.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { PasskeysModule } from '#src/passkeys/passkeys.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ProviderModule } from '#src/provider/provider.module.js';
import { AccountSignIn } from './account-sign-in.js';
import { AccountController } from './account.controller.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasswordChangeController } from './password-change.controller.js';
import { ProfileController } from './profile.controller.js';
import { Visitors } from './visitors.js';

@Module({
  imports: [ApplicationsModule, LoginModule, MembersModule, PagesModule, PasskeysModule, PeopleModule, ProviderModule],
  controllers: [AccountController, PasskeysController, PasswordChangeController, ProfileController],
  providers: [AccountSignIn, Visitors],
  exports: [Visitors],
})
export class AccountModule {}
