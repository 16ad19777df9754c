import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { keptWhileOrdered } from '#src/pending-orders/ordered-item.policy.js';
import { z } from 'zod';
import { DigitalProduct } from './digital-product.entity.js';
import { digitalProduct } from './digital-product.schema.js';
import { DigitalProductService } from './digital-product.service.js';

/** Files of one product that a tool shows: beside a long description they leave room in the 60 KB of a result. */
const FILES = 20;

export const digitalProductCollection = collection({
  name: 'digital_products',
  description: 'Files that the site sells, for its owners and admins.',
  scope: 'digital_products',
  service: DigitalProductService,
  row: DigitalProduct,
  resource: digitalProduct,
  // A sale is no edit: `If-Match` compares the version alone.
  etag: ({ version, sold_count }) => rowTag(version, sold_count),
  toolItem: ['id', 'slug', 'name', 'state', 'price', 'sold_count', 'published_at', 'updated_at', 'files_count'],
  toolMembers: {
    files: {
      schema: digitalProduct.object.shape.files.describe(`The first ${FILES}`),
      of: (row) => row.files.slice(0, FILES),
    },
    files_count: { schema: z.int().min(0), of: ({ files }) => files.length },
  },
  operations: {
    list: {
      id: 'listDigitalProducts',
      summary: 'List digital products',
      description:
        'Returns digital products of every state, without their descriptions. Needs the role owner or admin, as all ' +
        'operations of digital products do.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the digital products of this site for its owners and admins, drafts and archived ones included, newest ' +
          'first. Use it to manage products; browse_catalog shows the products that visitors see.',
      },
      run: (products, { principal, query }) => products.list(principal, query),
    },
    get: {
      id: 'getDigitalProduct',
      summary: 'Get a digital product',
      description: 'Returns the product with its description and its files.',
      problems: ['forbidden'],
      tool: {
        description:
          'Reads one digital product in any state, with its prices, limits and files. Use it when you know the id from ' +
          'list_digital_products; browse_item shows what visitors see.',
      },
      run: (products, { principal, id }) => products.get(principal, id),
    },
    create: {
      id: 'createDigitalProduct',
      summary: 'Create a digital product',
      description:
        'The new product is a draft: only operators see it until it is published. `files` names uploads of the purpose ' +
        'attachment that are ready; name, type and size follow from the upload.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Creates a digital product as a draft, for owners and admins. Use it to sell files after create_upload and ' +
          'complete_upload; publish_digital_product shows it to visitors.',
      },
      run: (products, { principal, body, tx }) => products.create(principal, body, tx),
    },
    upsert: {
      id: 'putDigitalProduct',
      summary: 'Create or update a digital product',
      description:
        'Creates the product of the `external_id` as a draft, or changes the fields that the body names. ' +
        keptWhileOrdered('product'),
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      run: (products, request) => products.upsert(request),
    },
    update: {
      id: 'updateDigitalProduct',
      summary: 'Update a digital product',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. `files` replaces the whole list; buyers download ' +
        'the files that the product has then. Purchases keep their end. ' +
        `${keptWhileOrdered('product')} An archived product cannot change.`,
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      tool: {
        description:
          'Changes the given members of a digital product: absent ones stay, null clears, files replaces the whole list. ' +
          'Use it to edit a product that is not archived; existing purchases keep their end.',
      },
      run: (products, { principal, body, tx, ...key }) => products.patch(principal, key, body, tx),
    },
    actions: {
      publish: {
        id: 'publishDigitalProduct',
        summary: 'Publish a digital product',
        description: 'From draft or unpublished, with at least one file. `published_at` keeps the first publication.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Shows a draft or unpublished digital product with files to visitors. Use it when a product is ready; ' +
            'unpublish_digital_product hides it.',
        },
        run: (products, { principal, tx, ...key }) => products.move(principal, key, 'publish', tx),
      },
      unpublish: {
        id: 'unpublishDigitalProduct',
        summary: 'Unpublish a digital product',
        description: 'From published. Purchases stay, and their files can still be downloaded.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Hides a published digital product from visitors; purchases and downloads stay. Use it to sell no more of a ' +
            'product; publish_digital_product shows it again.',
        },
        run: (products, { principal, tx, ...key }) => products.move(principal, key, 'unpublish', tx),
      },
      archive: {
        id: 'archiveDigitalProduct',
        summary: 'Archive a digital product',
        description: 'From unpublished, and for good. Purchases stay, and no others can be made.',
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Closes an unpublished digital product for good: purchases and downloads stay, and no others can be made. Use ' +
            'it for a product that is over; it cannot be undone.',
        },
        run: (products, { principal, tx, ...key }) => products.move(principal, key, 'archive', tx),
      },
    },
  },
});
