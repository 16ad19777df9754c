import { Collection, Get, List } from '@lyceum/collections';
import type { ListRequest, ObjectRequest } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { DigitalProduct } from './digital-product.entity.js';
import { digitalProduct } from './digital-product.schema.js';
import type { DigitalProductListQuery } from './digital-product.schema.js';
import { DigitalProductService } from './digital-product.service.js';
import { compareAtPrice, publicFiles } from './digital-product.view.js';

/** Files of one product that a tool shows: beside a long description they leave room in the 60 KB of a result. */
const FILES = 20;

@Collection<DigitalProduct>({
  name: 'digital_products',
  description: 'Files that the site sells.',
  resource: digitalProduct,
  view: { compare_at_price: compareAtPrice, files: publicFiles },
  etag: ({ version }) => rowTag(version),
  toolItem: ['id', 'slug', 'name', 'state', 'price', 'published_at', 'updated_at', 'files_count'],
  toolMembers: {
    files: {
      schema: digitalProduct.object.shape.files.describe(`The first ${FILES}`),
      of: (row) => publicFiles(row).slice(0, FILES),
    },
    files_count: { schema: z.int(), of: ({ files }) => files.length },
  },
})
@Injectable()
export class DigitalProductOperations {
  constructor(private readonly products: DigitalProductService) {}

  @List('listDigitalProducts', {
    summary: 'List digital products',
    description: 'Returns digital products of every state, without their descriptions.',
    tool: {
      description:
        'Lists the digital products of this site for its operators, drafts and archived ones included, newest first. ' +
        'Use it to manage products; browse_catalog shows the products that visitors see.',
    },
  })
  list({ principal, query }: ListRequest<DigitalProductListQuery>): Promise<Page<DigitalProduct>> {
    return this.products.list(principal, query);
  }

  @Get('getDigitalProduct', {
    summary: 'Get a digital product',
    description: 'Returns the product with its description and its files.',
    tool: {
      description:
        'Reads one digital product in any state, with its prices, limits and files. Use it when you know the id from ' +
        'list_digital_products; browse_item shows what visitors see.',
    },
  })
  get({ principal, id }: ObjectRequest): Promise<DigitalProduct> {
    return this.products.get(principal, id);
  }
}
