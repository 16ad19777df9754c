import { Module } from '@nestjs/common';
import { WritesModule } from '#src/writes/writes.module.js';
import { AppearanceController } from './appearance.controller.js';
import { AppearanceRepository } from './appearance.repository.js';
import { AppearanceService } from './appearance.service.js';
import { AppearanceTools } from './appearance.tools.js';

@Module({
  imports: [WritesModule],
  controllers: [AppearanceController],
  providers: [AppearanceService, AppearanceRepository, AppearanceTools],
  exports: [AppearanceService],
})
export class AppearanceModule {}
