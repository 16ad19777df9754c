import { Injectable } from '@nestjs/common';
import { Tool, itemsOf, principalOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { parse } from 'graphql';
import { z } from 'zod';
import { connectionOf, nextCursor, pageInput } from '#src/paging/tool-page.js';
import { MemberQueries } from '#src/reading/member-queries.service.js';

const node = z.object({
  id: z.string(),
  productId: z.string(),
  slug: z.string(),
  name: z.string(),
  state: z.enum(['ACTIVE', 'EXPIRED']),
  purchasedAt: z.string(),
  expireDate: z.string().nullable(),
  downloadCount: z.int(),
  downloadLimit: z.int().nullable(),
  files: z.array(
    z.object({ name: z.string(), contentType: z.string(), sizeBytes: z.number(), downloadUrl: z.string().nullable() }),
  ),
});

const PRODUCTS = {
  document: parse(`query ($first: Int, $after: String) { viewer { digitalProducts(first: $first, after: $after) {
    nodes {
      id productId slug name state purchasedAt expireDate downloadCount downloadLimit
      files { name contentType sizeBytes downloadUrl }
    }
    pageInfo { hasNextPage endCursor }
  } } }`),
  output: z.object({ digitalProducts: connectionOf(node) }),
};

/** Keeps a result short; the member API returns the others. */
const FILES = 3;

const item = z.object({
  grant_id: z.string(),
  digital_product_id: z.string(),
  slug: z.string(),
  name: z.string(),
  state: z.enum(['active', 'expired']),
  purchased_at: z.string(),
  expires_at: z.string().nullable(),
  download_count: z.int(),
  download_limit: z.int().nullable().describe('Null when there is no limit.'),
  files_count: z.int(),
  files: z
    .array(
      z.object({
        name: z.string(),
        content_type: z.string(),
        size_bytes: z.number(),
        download_url: z.string().nullable().describe('Works for ten minutes; following it counts as a download.'),
      }),
    )
    .describe(`The first ${FILES} files.`),
});
const output = itemsOf(item);

@Injectable()
export class DigitalProductsTools {
  constructor(private readonly queries: MemberQueries) {}

  @Tool({
    name: 'my_digital_products',
    title: 'My digital products',
    description:
      'Lists the digital products of the signed-in member, newest first, with links to their files that work for ten minutes. Use it when the member wants to find or download something that they have bought.',
    audience: 'member',
    scopes: ['account:read'],
    input: pageInput,
    output,
    annotations: { readOnlyHint: true },
  })
  async myDigitalProducts(call: ToolCall<z.output<typeof pageInput>>): Promise<z.input<typeof output>> {
    const { digitalProducts } = await this.queries.run(PRODUCTS, call.input, principalOf(call));
    return { items: digitalProducts.nodes.map(summary), next_cursor: nextCursor(digitalProducts.pageInfo) };
  }
}

function summary(product: z.output<typeof node>): z.input<typeof item> {
  return {
    grant_id: product.id,
    digital_product_id: product.productId,
    slug: product.slug,
    name: product.name,
    state: product.state === 'ACTIVE' ? 'active' : 'expired',
    purchased_at: product.purchasedAt,
    expires_at: product.expireDate,
    download_count: product.downloadCount,
    download_limit: product.downloadLimit,
    files_count: product.files.length,
    files: product.files.slice(0, FILES).map(({ name, contentType, sizeBytes, downloadUrl }) => ({
      name,
      content_type: contentType,
      size_bytes: sizeBytes,
      download_url: downloadUrl,
    })),
  };
}
