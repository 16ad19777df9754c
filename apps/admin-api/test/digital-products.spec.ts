import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { unique } from './new-course.js';
import { PRICE, PRODUCTS, newProduct, publishedProduct, readyFile } from './new-product.js';
import { CSV, newUpload } from './new-upload.js';

interface Problem extends Record<string, unknown> {
  readonly errors: readonly { readonly pointer: string; readonly code: string }[];
}

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const MISSING = '019ab3c0-0000-7000-8000-000000000000';
const named = (...ids: readonly string[]) => ids.map((file_id) => ({ file_id }));
const patch = (id: string, body: object) => api.send<Problem>('PATCH', `${PRODUCTS}/${id}`, { body });
const act = (id: string, action: string) => api.send('POST', `${PRODUCTS}/${id}/${action}`);
const abort = (id: string) => api.send('POST', `/api/v1/uploads/${id}/abort`);
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['code']];

it('shows files in their order with the facts of the uploads, and publishes them without an address', async () => {
  const [csv, jsonl] = [
    await readyFile(api),
    await readyFile(api, '{"a":1}\n', { filename: 'rows.jsonl', content_type: 'application/x-ndjson' }),
  ];
  const { id, files } = await newProduct(api, { files: named(jsonl, csv) });
  const facts = [
    { file_id: jsonl, name: 'rows.jsonl', content_type: 'application/x-ndjson', size_bytes: 8 },
    { file_id: csv, name: 'students.csv', content_type: 'text/csv', size_bytes: CSV.length },
  ];
  expect(files).toEqual(facts);
  const { body } = await patch(id, { files: named(csv, jsonl), name: 'Renamed' });
  expect(body['files']).toEqual(facts.toReversed());
  const events = await api.events.of([id], 2);
  expect(events.map(({ type, data }) => [type, data['files']])).toEqual([
    ['school.digital_product.created.v1', facts],
    ['school.digital_product.updated.v1', facts.toReversed()],
  ]);
  expect((await patch(id, { files: named(csv, jsonl) })).body['updated_at']).toBe(body['updated_at']);
});

it('publishes the beginning of a long description, so that the event has room for it', async () => {
  const description_html = '🎨'.repeat(100_000);
  const made = await newProduct(api, { description_html });
  expect(made['description_html']).toBe(description_html);
  const [event] = await api.events.of([made.id], 1);
  expect(event?.data['description']).toBe('🎨'.repeat(25_000));
});

it('keeps a file from its uploader while a product has it', async () => {
  const [kept, removed] = [await readyFile(api), await readyFile(api)];
  const { id } = await newProduct(api, { files: named(kept, removed) });
  expect(codeOf(await abort(removed))).toEqual([409, 'resource_in_use']);
  await patch(id, { files: named(kept) });
  expect((await abort(removed)).status).toBe(200);
  expect(codeOf(await abort(kept))).toEqual([409, 'resource_in_use']);
});

it('refuses files that are missing, not ready, of another purpose or named twice, each with its place', async () => {
  const [good, pending, other] = [
    await readyFile(api),
    (await newUpload(api, CSV, { purpose: 'attachment' })).id,
    await readyFile(api, CSV, { purpose: 'import' }),
  ];
  const files = named(good, MISSING, pending, other);
  const body = { slug: unique('product'), name: 'Workbook', price: PRICE, files };
  const { id } = await publishedProduct(api);
  for (const refused of [
    await api.send<Problem>('POST', PRODUCTS, { body }),
    await api.send<Problem>('PUT', `${PRODUCTS}/by_external_id/${unique('key')}`, { body }),
    await patch(id, { files }),
  ]) {
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/files/1/file_id', 'not_found'],
      ['/files/2/file_id', 'invalid_value'],
      ['/files/3/file_id', 'invalid_value'],
    ]);
  }
  expect((await patch(id, { files: named(good, good) })).status).toBe(422);
  expect((await abort(good)).status).toBe(200);
});

it('publishes a product with a file, and keeps one while it is public', async () => {
  const { id } = await newProduct(api);
  expect(codeOf(await act(id, 'publish'))).toEqual([409, 'invalid_state']);
  expect((await patch(id, { files: named(await readyFile(api)) })).status).toBe(200);
  expect((await act(id, 'publish')).body).toMatchObject({ state: 'published', published_at: expect.any(String) });
  expect(codeOf(await patch(id, { files: null }))).toEqual([409, 'invalid_state']);
  expect((await act(id, 'unpublish')).status).toBe(200);
  expect((await patch(id, { files: [] })).body['files']).toEqual([]);
});

it('checks both prices after a change of one of them', async () => {
  const { id } = await newProduct(api, { compare_at_price: { amount_minor: 60_000, currency: 'TWD' } });
  const pointers = async (body: object) => (await patch(id, body)).body.errors.map(({ pointer }) => pointer);
  expect(await pointers({ price: { amount_minor: 60_000 } })).toEqual(['/compare_at_price/amount_minor']);
  expect(await pointers({ price: { currency: 'EUR' } })).toEqual(['/compare_at_price/currency']);
  const dearer = await patch(id, { price: { amount_minor: 50_000 }, compare_at_price: { amount_minor: 50_001 } });
  expect(dearer.body).toMatchObject({
    price: { amount_minor: 50_000, currency: 'TWD' },
    compare_at_price: { amount_minor: 50_001, currency: 'TWD' },
  });
  expect((await patch(id, { compare_at_price: null })).body['compare_at_price']).toBeNull();
  await api.send('PATCH', '/api/v1/school', { body: { currency: 'EUR' } });
  expect(await pointers({ price: { amount_minor: 1 } })).toEqual(['/price/currency']);
  const old = { amount_minor: 60_000, currency: 'TWD' };
  expect((await patch(id, { compare_at_price: old })).body['compare_at_price']).toEqual(old);
  await api.send('PATCH', '/api/v1/school', { body: { currency: null } });
});
