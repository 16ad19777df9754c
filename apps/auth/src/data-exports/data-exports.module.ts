import { Module } from '@nestjs/common';
import { AccountsModule } from '#src/accounts/accounts.module.js';
import { AuditModule } from '#src/audit/audit.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { DataExportController } from './data-export.controller.js';
import { DataExportsRepository } from './data-exports.repository.js';
import { DataExportsService } from './data-exports.service.js';

@Module({
  imports: [AccountsModule, AuditModule, LimitsModule],
  controllers: [DataExportController],
  providers: [DataExportsRepository, DataExportsService],
})
export class DataExportsModule {}
