import { Module } from '@nestjs/common';
import { ClientsModule } from '#src/clients/clients.module.js';
import { KeysModule } from '#src/keys/keys.module.js';
import { PagesModule } from '#src/pages/pages.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ProviderModule } from '#src/provider/provider.module.js';
import { SignOutController } from './sign-out.controller.js';
import { SignOutService } from './sign-out.service.js';

@Module({
  imports: [ClientsModule, KeysModule, PagesModule, PeopleModule, ProviderModule],
  controllers: [SignOutController],
  providers: [SignOutService],
})
export class SignOutsModule {}
