import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AdminAreaModule } from './admin-area/admin-area.module.js';
import { AppearancesModule } from './appearances/appearances.module.js';
import type { AuthConfiguration } from './auth.environment.js';
import { CommandsModule } from './commands/commands.module.js';
import { HousekeepingModule } from './housekeeping/housekeeping.module.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { MailDeliveryModule } from './mails/mail-delivery.module.js';
import { SignInsModule } from './sign-ins/sign-ins.module.js';
import { MetadataModule } from './metadata/metadata.module.js';
import { PasswordLinksModule } from './password-links/password-links.module.js';
import { PersonRequestsModule } from './people/person-requests.module.js';
import { RegistrationsModule } from './registrations/registrations.module.js';
import { SignOutsModule } from './sign-outs/sign-outs.module.js';
import { StudentsModule } from './students/students.module.js';
import { TokensModule } from './tokens/tokens.module.js';

/** The whole service: HTTP surface, consumers and housekeeping of the identity context. */
@Module({})
export class AuthModule {
  static forRoot(config: AuthConfiguration): DynamicModule {
    return {
      module: AuthModule,
      imports: [
        InfrastructureModule.forRoot(config),
        AccountsModule,
        AdminAreaModule,
        AppearancesModule,
        CommandsModule,
        HousekeepingModule,
        MailDeliveryModule,
        SignInsModule,
        MetadataModule,
        PasswordLinksModule,
        PersonRequestsModule,
        RegistrationsModule,
        SignOutsModule,
        StudentsModule,
        TokensModule,
      ],
    };
  }
}
