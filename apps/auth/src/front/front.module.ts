import { Module } from '@nestjs/common';
import { ClientsModule } from '#src/clients/clients.module.js';
import { AssetsController } from './assets.controller.js';
import { DeveloperPagesController } from './developer-pages.controller.js';
import { LookController } from './look.controller.js';

@Module({
  imports: [ClientsModule],
  controllers: [AssetsController, DeveloperPagesController, LookController],
})
export class FrontModule {}
