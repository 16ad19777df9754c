import { Module } from '@nestjs/common';
import { ClientsModule } from '#src/clients/clients.module.js';
import { Platforms } from './platforms.service.js';

@Module({
  imports: [ClientsModule],
  providers: [Platforms],
  exports: [Platforms],
})
export class PlatformsModule {}
