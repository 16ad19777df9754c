import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { buildDocument } from './document.js';
import { OpenApiController } from './openapi.controller.js';
import { referencePage } from './reference.page.js';
import type { Controller } from './routes.js';
import { SiteDocuments } from './site-documents.js';

@Module({})
export class OpenApiModule {
  static forRoot(surface: readonly Controller[]): DynamicModule {
    const document = buildDocument(surface);
    const templates = new Map([
      ['openapi.json', JSON.stringify(document)],
      ['docs', referencePage(document)],
    ]);
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [{ provide: SiteDocuments, useValue: new SiteDocuments(templates) }],
    };
  }
}
