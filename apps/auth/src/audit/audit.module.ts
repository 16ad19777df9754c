import { Module } from '@nestjs/common';
import { AuditRetention } from './audit-retention.js';
import { AuditMetrics } from './audit.metrics.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

@Module({
  providers: [AuditMetrics, AuditRepository, AuditRetention, AuditService],
  exports: [AuditMetrics, AuditRetention, AuditService],
})
export class AuditModule {}
