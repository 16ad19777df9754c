import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { KeysModule } from '#src/keys/keys.module.js';
import { HousekeepingMetrics } from './housekeeping.metrics.js';
import { HousekeepingRepository } from './housekeeping.repository.js';
import { Housekeeping } from './housekeeping.service.js';
import { TablesRepository } from './tables.repository.js';

@Module({
  imports: [AuditModule, ClientsModule, KeysModule],
  providers: [Housekeeping, HousekeepingMetrics, HousekeepingRepository, TablesRepository],
})
export class HousekeepingModule {}
