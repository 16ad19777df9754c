import { Module } from '@nestjs/common';
import { readDescription } from '#src/openapi/description.js';
import { OperationCatalog } from './operation.catalog.js';
import { OperationService } from './operation.service.js';
import { OperationTools } from './operation.tools.js';

@Module({
  providers: [
    { provide: OperationCatalog, useFactory: () => new OperationCatalog(readDescription) },
    OperationService,
    OperationTools,
  ],
})
export class OperationModule {}
