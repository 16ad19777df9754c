import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ToolsAnswers, ToolsSettings } from './tools.answers.js';
import { ToolsCatalogue } from './tools.catalogue.js';
import { ToolsDiscovery } from './tools.discovery.js';

/** Offers the `@Tool` methods of a service to the gateway. Needs `MessagingModule`. */
@Module({})
export class ToolsModule {
  static forRoot(options: { service: string }): DynamicModule {
    return {
      module: ToolsModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: ToolsSettings, useValue: new ToolsSettings(options.service) },
        ToolsDiscovery,
        ToolsCatalogue,
        ToolsAnswers,
      ],
    };
  }
}
