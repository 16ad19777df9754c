import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { buildDocument } from '#src/openapi/document.js';
import type { Controller } from '#src/openapi/routes.js';
import { OperationCatalogue } from './operation.catalogue.js';
import { OperationService } from './operation.service.js';
import { OperationTools } from './operation.tools.js';

@Module({})
export class OperationModule {
  static forRoot(surface: readonly Controller[]): DynamicModule {
    return {
      module: OperationModule,
      providers: [
        { provide: OperationCatalogue, useValue: new OperationCatalogue(buildDocument(surface)) },
        OperationService,
        OperationTools,
      ],
    };
  }
}
