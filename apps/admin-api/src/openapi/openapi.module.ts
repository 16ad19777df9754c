import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { buildDocument } from '@lyceum/rest';
import type { Surface } from '@lyceum/rest';
import { OpenApiController } from './openapi.controller.js';
import { errorPages } from './error.pages.js';
import { readRecipes } from './recipes.js';
import { referencePage } from './reference.page.js';
import { ApiDocuments, SiteDocument } from './site-document.js';

@Module({})
export class OpenApiModule {
  static forRoot(surface: Surface): DynamicModule {
    const document = buildDocument(surface);
    const documents = new ApiDocuments(
      new SiteDocument(JSON.stringify(document)),
      new SiteDocument(referencePage(document)),
      readRecipes(),
      new Map([...errorPages()].map(([name, { type, text }]) => [name, { type, document: new SiteDocument(text) }])),
    );
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [{ provide: ApiDocuments, useValue: documents }],
    };
  }
}
