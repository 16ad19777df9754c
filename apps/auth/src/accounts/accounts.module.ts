import { Module } from '@nestjs/common';
import { ApplicationsModule } from '#src/applications/applications.module.js';
import { SignInsModule } from '#src/sign-ins/sign-ins.module.js';
import { MailsModule } from '#src/mails/mails.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { NoticesModule } from '#src/notices/notices.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { RepeatedFormsModule } from '#src/repeated-forms/repeated-forms.module.js';
import { PasskeysModule } from '#src/passkeys/passkeys.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ProfilePicturesModule } from '#src/profile-pictures/profile-pictures.module.js';
import { ProviderModule } from '#src/provider/provider.module.js';
import { AccountSignIn } from './account-sign-in.js';
import { AccountController } from './account.controller.js';
import { AccountSessionsController } from './account-sessions.controller.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasswordChangeController } from './password-change.controller.js';
import { PasswordChangeService } from './password-change.service.js';
import { ProfileController } from './profile.controller.js';
import { FreshProof } from './fresh-proof.js';
import { ProfilePictureFormController } from './profile-picture.controller.js';
import { AccountSessionGuard } from './account-session.guard.js';

@Module({
  imports: [
    ApplicationsModule,
    SignInsModule,
    MailsModule,
    MembersModule,
    NoticesModule,
    PagesModule,
    PasskeysModule,
    PeopleModule,
    ProfilePicturesModule,
    ProviderModule,
    RepeatedFormsModule,
  ],
  controllers: [
    AccountController,
    AccountSessionsController,
    PasskeysController,
    PasswordChangeController,
    ProfileController,
    ProfilePictureFormController,
  ],
  providers: [AccountSignIn, AccountSessionGuard, FreshProof, PasswordChangeService],
  exports: [AccountSessionGuard, NoticesModule],
})
export class AccountsModule {}
