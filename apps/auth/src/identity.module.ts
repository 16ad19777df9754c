import { Global, Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { Mailer } from '@lyceum/mail';
import { MessagingModule } from '@lyceum/messaging';
import { DatabaseModule } from '@lyceum/platform';
import { AuditMetrics } from './audit/audit.metrics.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditRetention } from './audit/audit-retention.js';
import { AuditService } from './audit/audit.service.js';
import { AuthSettings } from './auth.environment.js';
import type { AuthConfiguration } from './auth.environment.js';
import { DocumentClients } from './cimd/document-clients.service.js';
import { DocumentsRepository } from './cimd/documents.repository.js';
import { ClientsRepository } from './clients/clients.repository.js';
import { ClientsService } from './clients/clients.service.js';
import { ConsentService } from './consent/consent.service.js';
import { ConsentsRepository } from './consent/consents.repository.js';
import { databaseOptions } from './database/options.js';
import { GrantsRepository } from './grants/grants.repository.js';
import { GrantsService } from './grants/grants.service.js';
import { InvitationsRepository } from './invitations/invitations.repository.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { KeyRing } from './keys/key-ring.js';
import { SigningKeysRepository } from './keys/signing-keys.repository.js';
import { Passwords } from './people/passwords.js';
import { PeopleRepository } from './people/people.repository.js';
import { PeopleService } from './people/people.service.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { SiteDirectoryPublisher } from './sites/site-directory.publisher.js';
import { SiteLookup } from './sites/site-lookup.js';
import { SitesRepository } from './sites/sites.repository.js';
import { SitesService } from './sites/sites.service.js';

const REPOSITORIES: Type[] = [
  AuditRepository,
  ClientsRepository,
  ConsentsRepository,
  DocumentsRepository,
  GrantsRepository,
  InvitationsRepository,
  PeopleRepository,
  MembersRepository,
  SigningKeysRepository,
  SitesRepository,
];
const SERVICES: Type[] = [
  AuditMetrics,
  AuditRetention,
  AuditService,
  ClientsService,
  ConsentService,
  DocumentClients,
  GrantsService,
  InvitationsService,
  KeyRing,
  Passwords,
  PeopleService,
  MembersService,
  SiteDirectoryPublisher,
  SiteLookup,
  SitesService,
];

/** What this context is the system of record for: sites, people, roles, clients, grants and keys. No HTTP. */
@Global()
@Module({})
export class IdentityModule {
  static forRoot(config: AuthConfiguration): DynamicModule {
    const mailer = { provide: Mailer, useValue: new Mailer(config) };
    const settings = { provide: AuthSettings, useValue: new AuthSettings(config) };
    return {
      module: IdentityModule,
      imports: [
        DatabaseModule.forRoot(databaseOptions(config)),
        MessagingModule.forRoot({
          service: 'auth',
          nats: config,
          database: true,
        }),
      ],
      providers: [settings, mailer, ...REPOSITORIES, ...SERVICES],
      exports: [AuthSettings, Mailer, ...SERVICES],
    };
  }
}
