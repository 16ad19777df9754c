import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AccountModule } from './account/account.module.js';
import { AdminAreaModule } from './admin-area/admin-area.module.js';
import { AppearanceModule } from './appearance/appearance.module.js';
import type { AuthConfiguration } from './auth.environment.js';
import { CommandsModule } from './commands/commands.module.js';
import { HousekeepingModule } from './housekeeping/housekeeping.module.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { LoginModule } from './login/login.module.js';
import { MetadataModule } from './metadata/metadata.module.js';
import { PasswordLinksModule } from './password-links/password-links.module.js';
import { PersonRequestsModule } from './people/person-requests.module.js';
import { RegistrationModule } from './registration/registration.module.js';
import { SignOutModule } from './sign-out/sign-out.module.js';
import { StudentsModule } from './students/students.module.js';
import { TokensModule } from './tokens/tokens.module.js';

/** The whole service: the identity context with its HTTP surface, its consumers and its housekeeping. */
@Module({})
export class AuthModule {
  static forRoot(config: AuthConfiguration): DynamicModule {
    return {
      module: AuthModule,
      imports: [
        InfrastructureModule.forRoot(config),
        AccountModule,
        AdminAreaModule,
        AppearanceModule,
        CommandsModule,
        HousekeepingModule,
        LoginModule,
        MetadataModule,
        PasswordLinksModule,
        PersonRequestsModule,
        RegistrationModule,
        SignOutModule,
        StudentsModule,
        TokensModule,
      ],
    };
  }
}
