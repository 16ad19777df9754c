import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { KeyRing } from './key-ring.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

@Module({
  imports: [AuditModule],
  providers: [KeyRing, SigningKeysRepository],
  exports: [KeyRing],
})
export class KeysModule {}
