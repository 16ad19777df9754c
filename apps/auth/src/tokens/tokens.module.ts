import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { KeysModule } from '#src/keys/keys.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { ClientAuthentication } from './client-authentication.js';
import { CodeExchange } from './code-exchange.service.js';
import { IntrospectionService } from './introspection.service.js';
import { Refresh } from './refresh.service.js';
import { TokenGrantsRepository } from './token-grants.repository.js';
import { TokenAudit } from './token-audit.js';
import { TokensRepository } from './tokens.repository.js';
import { UserInfoController } from './userinfo.controller.js';
import { UserInfoService } from './userinfo.service.js';

@Module({
  imports: [AuditModule, ClientsModule, GrantsModule, KeysModule, LimitsModule],
  controllers: [UserInfoController],
  providers: [
    ClientAuthentication,
    CodeExchange,
    IntrospectionService,
    Refresh,
    TokenGrantsRepository,
    TokenAudit,
    TokensRepository,
    UserInfoService,
  ],
})
export class TokensModule {}
