import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AllowedOrigins, OriginSettings } from './allowed-origins.service.js';
import { ClientsRepository } from './clients.repository.js';

@Module({})
export class ClientsModule {
  static forRoot(settings: OriginSettings): DynamicModule {
    return {
      module: ClientsModule,
      global: true,
      providers: [{ provide: OriginSettings, useValue: settings }, AllowedOrigins, ClientsRepository],
      exports: [AllowedOrigins],
    };
  }
}
