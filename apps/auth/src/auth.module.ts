import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { RateLimitModule } from '@lyceum/rate-limit';
import { AccountController } from './account/account.controller.js';
import { AccountSignIn } from './account/account-sign-in.js';
import { PasskeysController } from './account/passkeys.controller.js';
import { ProfileController } from './account/profile.controller.js';
import { PasswordChangeController } from './account/password-change.controller.js';
import { Visitors } from './account/visitors.js';
import { AdminController } from './admin-area/admin.controller.js';
import { OperatorActions } from './admin-area/operator-actions.js';
import { Operators } from './admin-area/operators.js';
import { AppearancesConsumer } from './appearance/appearances.consumer.js';
import { AppearancesRepository } from './appearance/appearances.repository.js';
import { ApplicationsRepository } from './applications/applications.repository.js';
import { ApplicationsService } from './applications/applications.service.js';
import type { AuthConfiguration } from './auth.environment.js';
import { DocumentFetcher } from './cimd/document.fetcher.js';
import { Documents } from './cimd/documents.service.js';
import { CommandsModule } from './commands/commands.module.js';
import { Housekeeping } from './housekeeping/housekeeping.service.js';
import { HousekeepingMetrics } from './housekeeping/housekeeping.metrics.js';
import { HousekeepingRepository } from './housekeeping/housekeeping.repository.js';
import { TablesRepository } from './housekeeping/tables.repository.js';
import { IdentityModule } from './identity.module.js';
import { InvitationController } from './invitations/invitation.controller.js';
import { PasswordResetLimits } from './invitations/password-reset-limits.js';
import { PasswordLinks } from './invitations/password-links.service.js';
import { PasswordResetController } from './invitations/password-reset.controller.js';
import { LimitsRepository } from './limits/limits.repository.js';
import { LimitsService } from './limits/limits.service.js';
import { TokenLimits } from './limits/token-limits.js';
import { Decisions } from './login/decisions.js';
import { InteractionController } from './login/interaction.controller.js';
import { InteractionService } from './login/interaction.service.js';
import { KnownDevices } from './login/known-devices.js';
import { SignInAttemptsRepository } from './login/sign-in-attempts.repository.js';
import { SignInLimits } from './login/sign-in-limits.js';
import { SignInService } from './login/sign-in.service.js';
import { SiteEntrance } from './login/site-entrance.js';
import { DocumentsController } from './metadata/documents.controller.js';
import { FormTokens } from './pages/form-token.js';
import { ChallengesRepository } from './passkeys/challenges.repository.js';
import { PasskeyScriptController } from './passkeys/passkey-script.controller.js';
import { PasskeysRepository } from './passkeys/passkeys.repository.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import { DescribePersonResponder } from './people/describe-person.responder.js';
import { SecurityNotices } from './people/security-notices.js';
import { Platforms } from './platforms/platforms.service.js';
import { Accounts } from './provider/accounts.js';
import { Storage } from './provider/adapters/storage.js';
import { BrowserSessions } from './provider/browser-sessions.js';
import { BrowserRepository } from './provider/browser.repository.js';
import { CodesRepository } from './provider/codes.repository.js';
import { Engines } from './provider/engines.js';
import { Interactions } from './provider/interactions.js';
import { NewGrants } from './provider/new-grants.js';
import { ProtocolController } from './provider/protocol.controller.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationService } from './registration/registration.service.js';
import { SignOutController } from './sign-out/sign-out.controller.js';
import { SignOutService } from './sign-out/sign-out.service.js';
import { StudentsConsumer } from './students/students.consumer.js';
import { StudentsRepository } from './students/students.repository.js';
import { StudentsService } from './students/students.service.js';
import { ClientAuthentication } from './tokens/client-authentication.js';
import { CodeExchange } from './tokens/code-exchange.service.js';
import { IntrospectionService } from './tokens/introspection.service.js';
import { Refresh } from './tokens/refresh.service.js';
import { TokenGrantsRepository } from './tokens/token-grants.repository.js';
import { TokenLedger } from './tokens/token-ledger.js';
import { TokensRepository } from './tokens/tokens.repository.js';
import { UserInfoController } from './tokens/userinfo.controller.js';
import { UserInfoService } from './tokens/userinfo.service.js';

const CONTROLLERS: Type[] = [
  AccountController,
  AdminController,
  DocumentsController,
  InteractionController,
  InvitationController,
  PasskeyScriptController,
  PasskeysController,
  PasswordChangeController,
  ProfileController,
  PasswordResetController,
  ProtocolController,
  RegistrationController,
  SignOutController,
  UserInfoController,
];
const ENGINE: Type[] = [
  BrowserSessions,
  Accounts,
  BrowserRepository,
  CodesRepository,
  Engines,
  Interactions,
  NewGrants,
  Storage,
];
const TOKENS: Type[] = [
  ClientAuthentication,
  CodeExchange,
  IntrospectionService,
  Refresh,
  TokenGrantsRepository,
  TokenLedger,
  TokenLimits,
  TokensRepository,
  UserInfoService,
];
const SERVICES: Type[] = [
  AccountSignIn,
  OperatorActions,
  Operators,
  AppearancesConsumer,
  AppearancesRepository,
  ApplicationsRepository,
  ApplicationsService,
  ChallengesRepository,
  Decisions,
  DescribePersonResponder,
  Documents,
  FormTokens,
  Housekeeping,
  HousekeepingMetrics,
  HousekeepingRepository,
  InteractionService,
  KnownDevices,
  LimitsRepository,
  LimitsService,
  PasskeysRepository,
  PasskeysService,
  PasswordLinks,
  PasswordResetLimits,
  Platforms,
  RegistrationService,
  SecurityNotices,
  SignInAttemptsRepository,
  SignInLimits,
  SignInService,
  SiteEntrance,
  SignOutService,
  StudentsConsumer,
  StudentsRepository,
  StudentsService,
  TablesRepository,
  Visitors,
];

/** The whole service: the identity context with its HTTP surface, its answers over NATS, and its housekeeping. */
@Module({})
export class AuthModule {
  /** `documents` fetches from the Internet; tests bring one that fetches from this machine. */
  static forRoot(config: AuthConfiguration, documents = new DocumentFetcher()): DynamicModule {
    return {
      module: AuthModule,
      imports: [IdentityModule.forRoot(config), CommandsModule, RateLimitModule],
      controllers: CONTROLLERS,
      providers: [...ENGINE, ...TOKENS, ...SERVICES, { provide: DocumentFetcher, useValue: documents }],
    };
  }
}
