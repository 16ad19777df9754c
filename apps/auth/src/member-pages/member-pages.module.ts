import { Module } from '@nestjs/common';
import { AccountsModule } from '#src/accounts/accounts.module.js';
import { AdminAreaModule } from '#src/admin-area/admin-area.module.js';
import { MemberChangesModule } from '#src/member-changes/member-changes.module.js';
import { MembersModule } from '#src/members/members.module.js';
import { MemberFormsController } from './member-forms.controller.js';
import { PeopleController } from './people.controller.js';

/** People and invitations in the admin area. */
@Module({
  imports: [AccountsModule, AdminAreaModule, MemberChangesModule, MembersModule],
  controllers: [MemberFormsController, PeopleController],
})
export class MemberPagesModule {}
