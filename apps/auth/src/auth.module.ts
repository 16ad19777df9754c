import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AdminAreaModule } from './admin-area/admin-area.module.js';
import { AppearancesModule } from './appearances/appearances.module.js';
import type { AuthConfiguration } from './auth.environment.js';
import { LogoUpdatesModule } from './client-logos/logo-updates.module.js';
import { CommandsModule } from './commands/commands.module.js';
import { DataExportsModule } from './data-exports/data-exports.module.js';
import { DeparturesModule } from './departures/departures.module.js';
import { EmailChangesModule } from './email-changes/email-changes.module.js';
import { ExternalClientsModule } from './external-clients/external-clients.module.js';
import { EmailLinksModule } from './email-links/email-links.module.js';
import { FrontModule } from './front/front.module.js';
import { EndedGrantsModule } from './grants/ended-grants.module.js';
import { HousekeepingModule } from './housekeeping/housekeeping.module.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { MailDeliveryModule } from './mails/mail-delivery.module.js';
import { SchoolsModule } from './sites/schools.module.js';
import { SiteDataModule } from './site-data/site-data.module.js';
import { MemberChangesModule } from './member-changes/member-changes.module.js';
import { MemberPagesModule } from './member-pages/member-pages.module.js';
import { SignInsModule } from './sign-ins/sign-ins.module.js';
import { MetadataModule } from './metadata/metadata.module.js';
import { PasswordLinksModule } from './password-links/password-links.module.js';
import { PersonRequestsModule } from './people/person-requests.module.js';
import { RegistrationsModule } from './registrations/registrations.module.js';
import { SignOutsModule } from './sign-outs/sign-outs.module.js';
import { StudentsModule } from './students/students.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module.js';

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
        LogoUpdatesModule,
        CommandsModule,
        DataExportsModule,
        DeparturesModule,
        EmailChangesModule,
        ExternalClientsModule,
        EmailLinksModule,
        EndedGrantsModule,
        FrontModule,
        HousekeepingModule,
        MailDeliveryModule,
        SchoolsModule,
        MemberChangesModule,
        MemberPagesModule,
        SignInsModule,
        SiteDataModule,
        MetadataModule,
        PasswordLinksModule,
        PersonRequestsModule,
        RegistrationsModule,
        SignOutsModule,
        StudentsModule,
        TokensModule,
        WebhookEndpointsModule,
      ],
    };
  }
}
