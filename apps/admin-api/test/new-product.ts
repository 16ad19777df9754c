import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';
import { CSV, arrived, complete } from './new-upload.js';

type Body = Record<string, unknown>;

export const PRODUCTS = '/api/v1/digital_products';
export const PRICE = { amount_minor: 45_000, currency: 'TWD' };

/** Uploads a file of the purpose attachment and returns its id. */
export async function readyFile(api: TestApi, content = CSV, more: object = {}): Promise<string> {
  const upload = await arrived(api, content, { purpose: 'attachment', ...more });
  const { body } = await complete(api, upload);
  if (body['state'] !== 'ready') throw new Error(JSON.stringify(body));
  return upload.id;
}

export async function created(api: TestApi, path: string, body: object): Promise<Body & { readonly id: string }> {
  const response = await api.send<Body & { id: string }>('POST', path, { body });
  if (response.status !== 201) throw new Error(`${path}: ${response.text}`);
  return response.body;
}

/** Creates a draft at the first site. */
export function newProduct(api: TestApi, body: object = {}): Promise<Body & { readonly id: string }> {
  return created(api, PRODUCTS, { slug: unique('product'), name: 'Workbook', price: PRICE, ...body });
}

/** Creates and publishes a product with one file. */
export async function publishedProduct(api: TestApi, body: object = {}): Promise<Body & { readonly id: string }> {
  const product = await newProduct(api, { files: [{ file_id: await readyFile(api) }], ...body });
  const published = await api.send<typeof product>('POST', `${PRODUCTS}/${product.id}/publish`);
  if (published.status !== 200) throw new Error(published.text);
  return published.body;
}

/** Inserts many products with one statement. Members that are left out are empty. */
export async function insertProducts(api: TestApi, rows: readonly object[]): Promise<void> {
  await withDatabase(api.databaseUrl, (client) =>
    client.query(
      `insert into digital_products (site_id, slug, name, state, price_amount_minor, price_currency, description_html, files)
       select $1, slug, name, coalesce(state, 'draft'), (price->>'amount_minor')::bigint, price->>'currency',
         description_html, coalesce(files, '[]')
       from jsonb_to_recordset($2::jsonb)
         as r (slug text, name text, state text, price jsonb, description_html text, files jsonb)`,
      [api.sites[0].site_id, JSON.stringify(rows)],
    ),
  );
}
