import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { READS, iso, toolItems } from '@lyceum/rest';
import { CatalogItemService } from './catalog-item.service.js';
import { itemInput, itemOutput, searchInput, searchOutput } from './catalog.schema.js';
import type { CatalogItem } from './catalog.schema.js';
import { CatalogService } from './catalog.service.js';

const FOR_ALL = { audience: 'public', scopes: [], toolset: 'catalog', core: true } as const;

@Injectable()
export class CatalogTools {
  constructor(
    private readonly catalog: CatalogService,
    private readonly items: CatalogItemService,
  ) {}

  @Tool({
    ...FOR_ALL,
    name: 'browse_catalog',
    title: 'Browse the catalog',
    description:
      'Lists the published courses, digital products, coming events and membership plans of this site by name: all, or ' +
      'those in which all given words occur. Use it to find what can be learned here; browse_item describes one.',
    input: searchInput,
    output: searchOutput,
    annotations: READS,
  })
  browseCatalog({ input, site_id }: ToolCall<z.infer<typeof searchInput>>): Promise<object> {
    const query = { q: input.q, type: input.type, cursor: input.after, limit: input.first };
    return toolItems(this.catalog.search({ site_id }, query), (row) => ({ ...row, starts_at: iso(row.starts_at) }));
  }

  @Tool({
    ...FOR_ALL,
    name: 'browse_item',
    title: 'Browse an item of the catalog',
    description:
      'Describes one course, digital product, event or membership plan of this site, with prices and dates. Use it when ' +
      'you know its type and slug, for instance from browse_catalog.',
    input: itemInput,
    output: itemOutput,
    annotations: READS,
  })
  browseItem({ input, site_id }: ToolCall<z.infer<typeof itemInput>>): Promise<CatalogItem> {
    return this.items.get({ site_id }, input.type, input.slug);
  }
}
