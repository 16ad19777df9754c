import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  READS,
  itemsOf,
  newestFirst,
  operatorOf,
  searchText,
  shownDescription,
  toolItems,
  toolPage,
  truncated,
} from '@lyceum/rest';
import { PRODUCT_STATES, digitalProductView } from './digital-product.api.schema.js';
import { DigitalProductService } from './digital-product.service.js';
import { viewDigitalProduct, viewDigitalProductSummary } from './digital-product.view.js';

/** Files of one product that a tool shows: beside a long description they leave room in the 60 KB of a result. */
const FILES = 20;

const files_count = z.int();

const listInput = z.object({
  q: searchText.optional().describe('Words that all occur in the name or slug'),
  state: z.enum(PRODUCT_STATES).optional().describe('Only those in this state'),
  ...toolPage,
});
const listOutput = itemsOf(
  digitalProductView
    .pick({ id: true, slug: true, name: true, state: true, price: true, published_at: true, updated_at: true })
    .extend({ files_count }),
);
const detailsInput = z.object({
  id: z.uuid().toLowerCase().describe('Id of the product; list_digital_products has it'),
});
const details = z.object({
  ...digitalProductView.shape,
  files: digitalProductView.shape.files.describe(`The first ${FILES}`),
  files_count,
  description_truncated: truncated,
});

const OPERATORS = { audience: 'operator', scopes: ['digital_products:read'] } as const;

@Injectable()
export class DigitalProductTools {
  constructor(private readonly products: DigitalProductService) {}

  @Tool({
    ...OPERATORS,
    name: 'list_digital_products',
    title: 'List all digital products',
    description:
      'Lists the digital products of this site for its operators, drafts and archived ones included, newest first. Use ' +
      'it to manage products; use search_catalog for what visitors see.',
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  listDigitalProducts(call: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    return toolItems(this.products.list(operatorOf(call), newestFirst(call.input)), (row) => ({
      ...viewDigitalProductSummary(row),
      files_count: row.files.length,
    }));
  }

  @Tool({
    ...OPERATORS,
    name: 'get_digital_product_details',
    title: 'Get a digital product as its operators see it',
    description:
      'Reads one digital product in any state, with its prices, limits and files. Use it when you know the id from ' +
      'list_digital_products; use get_catalog_item for what visitors see.',
    input: detailsInput,
    output: details,
    annotations: READS,
  })
  async getDigitalProductDetails(call: ToolCall<z.infer<typeof detailsInput>>): Promise<object> {
    const row = await this.products.get(operatorOf(call), call.input.id);
    const product = viewDigitalProduct(row);
    return {
      ...product,
      ...shownDescription(row.description_html),
      files: product.files.slice(0, FILES),
      files_count: product.files.length,
    };
  }
}
