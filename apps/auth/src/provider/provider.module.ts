import { Module } from '@nestjs/common';
import { DocumentUpdatesModule } from '#src/client-documents/document-updates.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { ConsentsModule } from '#src/consents/consents.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { KeysModule } from '#src/keys/keys.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { AccountFinder } from './engine/account-finder.js';
import { Approvals } from './engine/approvals.js';
import { EngineStorage } from './engine/adapters/storage.js';
import { ApprovalsRepository } from './browser-state/approvals.repository.js';
import { BrowserSessions } from './authorization/browser-sessions.js';
import { BrowserRepository } from './browser-state/browser.repository.js';
import { CodesRepository } from './browser-state/codes.repository.js';
import { Decisions } from './browser-state/decisions.js';
import { DecisionsRepository } from './browser-state/decisions.repository.js';
import { Engines } from './engine/engines.js';
import { Interactions } from './authorization/interactions.js';
import { NewGrants } from './engine/new-grants.js';
import { RequestRows } from './engine/request-rows.js';
import { ProtocolController } from './authorization/protocol.controller.js';

@Module({
  imports: [ClientsModule, ConsentsModule, DocumentUpdatesModule, GrantsModule, KeysModule, LimitsModule, PeopleModule],
  controllers: [ProtocolController],
  providers: [
    AccountFinder,
    Approvals,
    ApprovalsRepository,
    BrowserRepository,
    BrowserSessions,
    CodesRepository,
    Decisions,
    DecisionsRepository,
    Engines,
    Interactions,
    NewGrants,
    EngineStorage,
    RequestRows,
  ],
  exports: [BrowserSessions, Interactions],
})
export class ProviderModule {}
