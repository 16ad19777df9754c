import type { Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { api } from './convention-target.js';
import { student } from './student-body.js';
import { ADMINISTRATORS } from './unfenced.js';

/** A file that is ready and that another object uses, so that each owner may use it. */
async function sharedFile(unique: string, other: CreateOther): Promise<unknown> {
  const { id } = await other('/api/v1/uploads', {
    purpose: 'attachment',
    filename: `${unique}.csv`,
    content_type: 'text/csv',
    bytes: 3,
    sha256: '0'.repeat(64),
  });
  await api.query(`update files set state = 'ready', uses = 1, sweep_at = null where id = $1`, [id]);
  return id;
}

const product = (unique: string): Json => ({
  slug: unique,
  name: `Product ${unique}`,
  price: { amount_minor: 100, currency: 'TWD' },
  tags: ['a'],
  external_id: unique,
});

const products: Cases = {
  create: async (unique, other) => ({ ...product(unique), files: [{ file_id: await sharedFile(unique, other) }] }),
  patch: { name: 'Renamed', price: { amount_minor: 200 }, access_days: 30, tags: ['b'], metadata: { a: 'b' } },
  unique: ['slug', 'external_id'],
  references: ['files'],
  readOnly: ['state', 'sold_count', 'published_at'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: {
      publish: { draft: 'published', unpublished: 'published' },
      unpublish: { published: 'unpublished' },
      archive: { unpublished: 'archived' },
    },
    sealed: ['archived'],
  },
  search: ({ slug }) => String(slug),
  filters: {
    state: [({ state }) => state, 'archived'],
    external_id: [({ external_id }) => external_id, 'none'],
    tag: [({ tags }) => (tags as unknown[])[0], 'none'],
  },
  unfenced: ADMINISTRATORS,
};

const purchases: Cases = {
  create: async (unique, other) => ({
    student_id: (await other('/api/v1/students', student(unique)))['id'],
    external_id: unique,
  }),
  patch: { expires_at: '2099-01-01T00:00:00.000Z', metadata: { a: 'b' } },
  table: 'digital_product_grants',
  unique: ['external_id'],
  readOnly: ['digital_product_id', 'state', 'source', 'granted_at'],
  fixed: ['student_id'],
  derived: ['granted_at'],
  states: {
    member: 'state',
    initial: 'active',
    moves: { revoke: { active: 'revoked', revoked: 'revoked' } },
    sealed: ['revoked'],
  },
  filters: {
    student_id: [({ student_id }) => student_id, '019ab3c0-0000-7000-8000-000000000000'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  parent: { collection: 'digital_products', create: product },
  personal: true,
  // Each active row needs a student of its own: digital-product-grant.repository.db.spec.ts proves the indexes.
  exempt: ['serves'],
  unfenced: ADMINISTRATORS,
};

/** Facts of digital products. */
export const digitalProductCases: Readonly<Record<string, Cases>> = {
  digital_products: products,
  'digital_products/purchases': purchases,
};
