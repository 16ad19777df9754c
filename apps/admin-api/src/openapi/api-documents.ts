import { Injectable } from '@nestjs/common';
import { readDescription } from './description.js';
import { errorMarkdown, errorPages } from './error.pages.js';
import { readRecipes } from './recipes.js';
import { referencePage } from './reference.page.js';
import { SiteDocument } from './site-document.js';
import type { SitePage } from './site-page.js';

/** Public documentation of the API. Each part is made for its first reader, because most replicas have none. */
@Injectable()
export class ApiDocuments {
  #description: SiteDocument | undefined;
  #page: SitePage | undefined;
  #recipes: ReadonlyMap<string, SiteDocument> | undefined;
  #errors: ReadonlyMap<string, SitePage> | undefined;
  #markdown: ReadonlyMap<string, SiteDocument> | undefined;

  get description(): SiteDocument {
    return (this.#description ??= new SiteDocument(JSON.stringify(readDescription())));
  }

  get page(): SitePage {
    return (this.#page ??= referencePage(readDescription()));
  }

  /** Documents by file name. */
  get recipes(): ReadonlyMap<string, SiteDocument> {
    return (this.#recipes ??= readRecipes());
  }

  /** Pages by their paths below `/docs/errors/`. */
  get errors(): ReadonlyMap<string, SitePage> {
    return (this.#errors ??= errorPages());
  }

  /** The same pages as Markdown, by their paths below `/docs/errors/`. */
  get errorMarkdown(): ReadonlyMap<string, SiteDocument> {
    return (this.#markdown ??= errorMarkdown());
  }
}
