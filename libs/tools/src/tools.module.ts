import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ToolNames } from './tool-names.js';
import { ToolsResponders } from './tools.responders.js';
import { ToolsCatalog, ToolsSettings } from './tools.catalog.js';
import type { ToolsOptions } from './tools.catalog.js';
import { ToolsDiscovery } from './tools.discovery.js';

/** Publishes the `@Tool`, `@Resource` and `@Prompt` methods of a service to the gateway. Needs `MessagingModule`. */
@Module({})
export class ToolsModule {
  static forRoot(options: ToolsOptions): DynamicModule {
    return {
      module: ToolsModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: ToolsSettings, useValue: new ToolsSettings(options) },
        ToolNames,
        ToolsDiscovery,
        ToolsCatalog,
        ToolsResponders,
      ],
      exports: [ToolsDiscovery],
      // Features ask for the names of tools.
      global: true,
    };
  }
}
