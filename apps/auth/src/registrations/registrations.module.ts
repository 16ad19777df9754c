import { Module } from '@nestjs/common';
import { ClientsModule } from '#src/clients/clients.module.js';
import { LimitsModule } from '#src/limits/limits.module.js';
import { PlatformsModule } from '#src/platforms/platforms.module.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService } from './registration.service.js';

@Module({
  imports: [ClientsModule, LimitsModule, PlatformsModule],
  controllers: [RegistrationController],
  providers: [RegistrationService],
})
export class RegistrationsModule {}
