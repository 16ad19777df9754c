import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AllowedOrigins, ExtraOrigins } from './allowed-origins.service.js';
import { ClientsRepository } from './clients.repository.js';

@Module({})
export class ClientsModule {
  static forRoot(extraOrigins: readonly string[]): DynamicModule {
    return {
      module: ClientsModule,
      global: true,
      providers: [
        { provide: ExtraOrigins, useValue: new ExtraOrigins(extraOrigins) },
        AllowedOrigins,
        ClientsRepository,
      ],
      exports: [AllowedOrigins],
    };
  }
}
