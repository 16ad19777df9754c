import { Injectable } from '@nestjs/common';
import { readDescription } from './description.js';
import { errorPages } from './error.pages.js';
import { readRecipes } from './recipes.js';
import { referencePage } from './reference.page.js';
import { SiteDocument } from './site-document.js';

interface ErrorPage {
  readonly type: string;
  readonly document: SiteDocument;
}

/** Public documentation of the API. Each part is made for its first reader, because most replicas have none. */
@Injectable()
export class ApiDocuments {
  #description: SiteDocument | undefined;
  #page: SiteDocument | undefined;
  #recipes: ReadonlyMap<string, SiteDocument> | undefined;
  #errors: ReadonlyMap<string, ErrorPage> | undefined;

  get description(): SiteDocument {
    return (this.#description ??= new SiteDocument(JSON.stringify(readDescription())));
  }

  get page(): SiteDocument {
    return (this.#page ??= new SiteDocument(referencePage(readDescription())));
  }

  /** Documents by file name. */
  get recipes(): ReadonlyMap<string, SiteDocument> {
    return (this.#recipes ??= readRecipes());
  }

  /** Pages by their paths below `/docs/errors/`. */
  get errors(): ReadonlyMap<string, ErrorPage> {
    return (this.#errors ??= new Map(
      [...errorPages()].map(([name, { type, text }]) => [name, { type, document: new SiteDocument(text) }]),
    ));
  }
}
