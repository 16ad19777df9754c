import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Tool, itemsOf, principalOf, toolPage } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { parse } from 'graphql';
import { z } from 'zod';
import { connectionOf, nextCursor, pageInput } from '#src/paging/tool-page.js';
import { uuidOfId } from '#src/schema/global-id.js';
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
    z.object({
      id: z.string(),
      name: z.string(),
      contentType: z.string(),
      sizeBytes: z.number(),
      downloadUrl: z.string().nullable(),
    }),
  ),
});

const FIELDS = `id productId slug name state purchasedAt expireDate downloadCount downloadLimit
  files { id name contentType sizeBytes downloadUrl }`;
const PRODUCTS = {
  document: parse(`query ($first: Int, $after: String) { viewer { digitalProducts(first: $first, after: $after) {
    nodes { ${FIELDS} }
    pageInfo { hasNextPage endCursor }
  } } }`),
  output: z.object({ digitalProducts: connectionOf(node) }),
};
const PRODUCT = { document: parse(`{ PurchasedDigitalProduct { ${FIELDS} } }`), output: node };

/** Files of each product of a list, to keep it short; my_digital_product returns all. */
const FILES = 3;

const product = z.object({
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
});
const files = z.array(
  z.object({
    name: z.string(),
    content_type: z.string(),
    size_bytes: z.number(),
    download_url: z
      .string()
      .nullable()
      .describe(
        'Works for ten minutes; following it counts as a download. Null when access has run out or the limit is reached.',
      ),
  }),
);
const output = itemsOf(
  product.extend({ files: files.describe(`The first ${FILES} files; my_digital_product has the others.`) }),
);

const one = z.object({
  grant_id: z.string().describe('Identifier of the purchase; my_digital_products has it.'),
  ...toolPage,
  first: toolPage.first.describe('How many files at most'),
});
const whole = product.extend({
  files: files.describe('A page of the files, in the order of the school.'),
  next_cursor: z.string().nullable().describe('Pass it as "after" for the next files; null at the end'),
});

@Injectable()
export class DigitalProductsTools {
  constructor(private readonly queries: MemberQueries) {}

  @Tool({
    name: 'my_digital_products',
    title: 'My digital products',
    description:
      'Lists the digital products of the signed-in member, newest first, with links to their first files that work for ten minutes. Use it when the member wants to find or download something that they have bought; my_digital_product has all files of one.',
    audience: 'member',
    scopes: ['account:read'],
    input: pageInput,
    output,
    annotations: { readOnlyHint: true },
  })
  async myDigitalProducts(call: ToolCall<z.output<typeof pageInput>>): Promise<z.input<typeof output>> {
    const { digitalProducts } = await this.queries.run(PRODUCTS, call.input, principalOf(call));
    const items = digitalProducts.nodes.map((each) => summary(each, each.files.slice(0, FILES)));
    return { items, next_cursor: nextCursor(digitalProducts.pageInfo) };
  }

  @Tool({
    name: 'my_digital_product',
    title: 'One of my digital products',
    description:
      'Returns one digital product of the signed-in member with its files in pages, and links to them that work for ten minutes. Use it to download a file of a product that my_digital_products has shown.',
    audience: 'member',
    scopes: ['account:read'],
    input: one,
    output: whole,
    annotations: { readOnlyHint: true },
  })
  async myDigitalProduct(call: ToolCall<z.output<typeof one>>): Promise<z.input<typeof whole>> {
    const { grant_id, first, after } = call.input;
    const uuid = uuidOfId('PurchasedDigitalProduct', grant_id);
    const found = uuid === undefined ? undefined : await this.queries.find(PRODUCT, uuid, principalOf(call));
    if (found === undefined) {
      throw new ApiError('not_found', 'The member has no such digital product', {
        hint: 'Take grant_id from my_digital_products.',
      });
    }
    const start = after === undefined ? 0 : placeAfter(found.files, after);
    const page = found.files.slice(start, start + first);
    const more = start + first < found.files.length;
    return { ...summary(found, page), next_cursor: more ? (page.at(-1)?.id ?? null) : null };
  }
}

type Files = z.output<typeof node>['files'];

/** A cursor is the id of the last file of its page. */
function placeAfter(all: Files, cursor: string): number {
  const place = all.findIndex(({ id }) => id === cursor);
  if (place !== -1) return place + 1;
  throw new ApiError('invalid_cursor', 'The product has no file with this cursor', {
    hint: 'Start again without `after`',
  });
}

function summary(
  found: z.output<typeof node>,
  shown: Files,
): z.input<typeof product> & { files: z.input<typeof files> } {
  return {
    grant_id: found.id,
    digital_product_id: found.productId,
    slug: found.slug,
    name: found.name,
    state: found.state === 'ACTIVE' ? 'active' : 'expired',
    purchased_at: found.purchasedAt,
    expires_at: found.expireDate,
    download_count: found.downloadCount,
    download_limit: found.downloadLimit,
    files_count: found.files.length,
    files: shown.map(({ name, contentType, sizeBytes, downloadUrl }) => ({
      name,
      content_type: contentType,
      size_bytes: sizeBytes,
      download_url: downloadUrl,
    })),
  };
}
