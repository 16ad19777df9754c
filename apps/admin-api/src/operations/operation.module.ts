import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { buildDocument } from '@lyceum/rest';
import type { Surface } from '@lyceum/rest';
import { OperationCatalog } from './operation.catalog.js';
import { OperationService } from './operation.service.js';
import { OperationTools } from './operation.tools.js';

@Module({})
export class OperationModule {
  static forRoot(surface: Surface): DynamicModule {
    return {
      module: OperationModule,
      providers: [
        { provide: OperationCatalog, useValue: new OperationCatalog(buildDocument(surface)) },
        OperationService,
        OperationTools,
      ],
    };
  }
}
