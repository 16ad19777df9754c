import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';
import { GIF } from './new-image.js';
import { CSV, arrived, complete, follow, newUpload } from './new-upload.js';

type Body = Record<string, unknown>;

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const IMAGE = { purpose: 'image', filename: 'pear.gif', content_type: 'image/gif' };
const ELSEWHERE = 'https://cdn.example.com/pear.png';

async function newImage(): Promise<string> {
  const upload = await arrived(api, GIF, IMAGE);
  expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  return upload.id;
}

const publicUrl = (id: string): string => `${api.sites[0].base_url}/files/public/${id}`;
const usesOf = (id: string): Promise<unknown> =>
  withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ uses: number }>('select uses from files where id = $1', [id]);
    return rows[0]?.uses;
  });

describe.each([
  ['courses', 'image', 'course', 'name', {}],
  ['lecturers', 'avatar', 'lecturer', 'name', {}],
  ['posts', 'cover', 'post', 'title', {}],
  ['digital_products', 'image', 'digital_product', 'name', { price: { amount_minor: 100, currency: 'TWD' } }],
])('the picture of one of the %s', (collection, name, entity, title, needed) => {
  const path = `/api/v1/${collection}`;
  const [url, file] = [`${name}_url`, `${name}_file_id`];
  const picture = (of: Body) => [of[url], of[file]];
  const create = (more: Body = {}) =>
    api.send('POST', path, { body: { [title]: 'Mei', slug: unique('pictured'), ...needed, ...more } });
  const patch = (id: unknown, body: Body) => api.send('PATCH', `${path}/${String(id)}`, { body });

  it('becomes an uploaded image with a lasting address, which everyone reads', async () => {
    const id = await newImage();
    expect((await follow(api, 'GET', publicUrl(id))).status).toBe(404);
    const { body } = await create({ [file]: id });
    expect(picture(body)).toEqual([publicUrl(id), id]);
    expect(picture((await api.send('GET', `${path}/${String(body['id'])}`)).body)).toEqual([publicUrl(id), id]);
    const list = await api.send<{ data: Body[] }>('GET', `${path}?sort=-created_at&limit=1`);
    expect(list.body.data.map(picture)).toEqual([[publicUrl(id), id]]);
    const shown = await follow(api, 'GET', publicUrl(id));
    expect([shown.status, shown.text.slice(0, 6), shown.headers['content-type']]).toEqual([200, 'GIF89a', 'image/gif']);
    const [event] = await api.events.of([String(body['id'])], 1);
    expect(event).toMatchObject({ type: `school.${entity}.created.v1` });
    // Consumers of posts show no cover.
    if (entity !== 'post') expect(event?.data).toMatchObject({ [url]: publicUrl(id) });
  });

  it('changes between files and addresses, and each file is used while it is the picture', async () => {
    const [one, other] = [await newImage(), await newImage()];
    const { body: made } = await create({ [url]: ELSEWHERE });
    const change = async (body: Body) => picture((await patch(made['id'], body)).body);
    expect(await change({ [file]: one })).toEqual([publicUrl(one), one]);
    expect(await change({ [file]: other })).toEqual([publicUrl(other), other]);
    expect([await usesOf(one), await usesOf(other)]).toEqual([0, 1]);
    expect((await api.send('POST', `/api/v1/uploads/${other}/abort`)).body).toMatchObject({ code: 'resource_in_use' });
    expect(await change({ [title]: 'Lin' })).toEqual([publicUrl(other), other]);
    expect(await change({ [url]: ELSEWHERE })).toEqual([ELSEWHERE, null]);
    expect((await follow(api, 'GET', publicUrl(other))).status).toBe(404);
    expect(await change({ [file]: other })).toEqual([publicUrl(other), other]);
    expect(await change({ [file]: null })).toEqual([null, null]);
    expect(await usesOf(other)).toBe(0);
  });

  it('follows a PUT by the external id, and ends with its object', async () => {
    const [one, other] = [await newImage(), await newImage()];
    const slug = unique('pictured');
    const at = `${path}/by_external_id/${slug}`;
    const put = (body: Body) => api.send('PUT', at, { body: { [title]: 'Mei', slug, ...needed, ...body } });
    expect(picture((await put({ [file]: one })).body)).toEqual([publicUrl(one), one]);
    expect(picture((await put({ [title]: 'Lin' })).body)).toEqual([publicUrl(one), one]);
    const changed = await put({ [file]: other });
    expect(picture(changed.body)).toEqual([publicUrl(other), other]);
    expect([await usesOf(one), await usesOf(other)]).toEqual([0, 1]);
    // No operation deletes a product.
    if (collection === 'digital_products') return;
    expect((await api.send('DELETE', `${path}/${String(changed.body['id'])}`)).status).toBe(204);
    expect(await usesOf(other)).toBe(0);
  });

  it('refuses a file and another address, and files that are no ready image of the site', async () => {
    const attachment = await arrived(api, CSV, { purpose: 'attachment' });
    await complete(api, attachment);
    const { body: made } = await create();
    for (const body of [
      { [file]: await newImage(), [url]: ELSEWHERE },
      { [file]: attachment.id },
      { [file]: (await newUpload(api, GIF, IMAGE)).id },
      { [file]: '019ab3c0-0000-7000-8000-000000000000' },
    ]) {
      for (const response of [await create(body), await patch(made['id'], body)])
        expect([response.status, response.body['errors']]).toMatchObject([422, [{ pointer: `/${file}` }]]);
    }
    expect(picture((await api.send('GET', `${path}/${String(made['id'])}`)).body)).toEqual([null, null]);
  });

  it('changes nothing in a dry run', async () => {
    const [id, { body: made }] = [await newImage(), await create()];
    const dry = await api.send('PATCH', `${path}/${String(made['id'])}?dry_run=true`, { body: { [file]: id } });
    expect(picture(dry.body)).toEqual([publicUrl(id), id]);
    expect(await usesOf(id)).toBe(0);
  });
});

it('gives a copy of a course the same picture, at the current origin of the site', async () => {
  const id = await newImage();
  const { body } = await api.send('POST', '/api/v1/courses', {
    body: { name: 'A', slug: unique('c'), image_file_id: id },
  });
  const duplicate = () => api.send('POST', `/api/v1/courses/${String(body['id'])}/duplicate`, { body: {} });
  expect((await duplicate()).body).toMatchObject({ image_url: publicUrl(id), image_file_id: id });
  expect(await usesOf(id)).toBe(2);
  // The site had another origin when the picture was set.
  await withDatabase(api.databaseUrl, (client) =>
    client.query(`update courses set image_url = 'https://former.example.com/a' where id = $1`, [body['id']]),
  );
  expect((await duplicate()).body).toMatchObject({ image_url: publicUrl(id), image_file_id: id });
});

it('keeps the files of a product and its picture apart', async () => {
  const file = async (): Promise<string> => {
    const upload = await arrived(api, CSV, { purpose: 'attachment' });
    await complete(api, upload);
    return upload.id;
  };
  const [one, other, picture, next] = [await file(), await file(), await newImage(), await newImage()];
  const price = { amount_minor: 100, currency: 'TWD' };
  const { body: made } = await api.send('POST', '/api/v1/digital_products', {
    body: { name: 'Workbook', slug: unique('p'), price, files: [{ file_id: one }], image_file_id: picture },
  });
  const patch = async (body: Body): Promise<unknown[]> => {
    const { body: product } = await api.send('PATCH', `/api/v1/digital_products/${String(made['id'])}`, { body });
    const files = product['files'] as { file_id: string }[];
    return [files.map(({ file_id }) => file_id), product['image_file_id']];
  };
  const uses = () => Promise.all([one, other, picture, next].map(usesOf));
  expect(await uses()).toEqual([1, 0, 1, 0]);
  expect(await patch({ image_file_id: next })).toEqual([[one], next]);
  expect(await uses()).toEqual([1, 0, 0, 1]);
  expect(await patch({ files: [{ file_id: other }] })).toEqual([[other], next]);
  expect(await uses()).toEqual([0, 1, 0, 1]);
  expect(await patch({ image_url: null })).toEqual([[other], null]);
  expect(await uses()).toEqual([0, 1, 0, 0]);
  for (const body of [{ image_file_id: one }, { files: [{ file_id: next }] }])
    expect((await api.send('PATCH', `/api/v1/digital_products/${String(made['id'])}`, { body })).status).toBe(422);
});
