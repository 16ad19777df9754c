import { z } from 'zod';
import type { DemoProduct } from './demo-products.js';
import type { OperatorApi } from './operator-api.js';
import { upload } from './upload.js';

const PRODUCTS = '/api/v1/digital_products';

const object = z.object({ id: z.uuid() });
const list = z.object({ data: z.array(object) });
const product = object.extend({ state: z.string(), published_at: z.string().nullable() });
const products = z.object({ data: z.array(product) });

/** Creates and publishes a product with its file, and grants it, unless that was done before. */
export async function importProduct(
  api: OperatorApi,
  { external_id, slug, name, terms, file, purchase }: DemoProduct,
): Promise<void> {
  const read = async <T extends z.ZodType>(schema: T, path: string): Promise<z.output<T>> =>
    schema.parse((await api.send('GET', path)).body);
  const create = async (): Promise<z.output<typeof product>> => {
    const body = { slug, name, ...terms, files: [{ file_id: await upload(api, file) }] };
    return product.parse((await api.send('PUT', `${PRODUCTS}/by_external_id/${external_id}`, { body })).body);
  };
  const known = await read(products, `${PRODUCTS}?external_id=${external_id}`);
  const { id, state, published_at } = known.data[0] ?? (await create());
  // An operator may have unpublished it since.
  if (state === 'draft' && published_at === null) await api.send('POST', `${PRODUCTS}/${id}/publish`);
  const purchases = `${PRODUCTS}/${id}/purchases`;
  const granted = await read(list, `${purchases}?external_id=${purchase.external_id}`);
  if (granted.data.length > 0) return;
  const [student] = (await read(list, `/api/v1/students?external_id=${purchase.student}`)).data;
  if (student === undefined) throw new Error(`The demo names the student "${purchase.student}", who does not exist`);
  await api.send('POST', purchases, { body: { student_id: student.id, external_id: purchase.external_id } });
}
