import { randomUUID } from 'node:crypto';
import { MAX_REVISIONS } from '#src/appearance/appearance.schema.js';
import { FileSweep } from '#src/files/file.sweep.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { newCourse, unique } from './new-course.js';
import { GIF } from './new-image.js';
import { CSV, arrived, complete, follow, newUpload } from './new-upload.js';

type Body = Record<string, unknown>;

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>';
const MISSING = '019ab3c0-0000-7000-8000-000000000000';
const CSV_FILE = { purpose: 'attachment' };
const LOGO = { purpose: 'logo', filename: 'logo.svg', content_type: 'image/svg+xml' };

async function ready(content: string, more: object): Promise<string> {
  const upload = await arrived(api, content, more);
  expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  return upload.id;
}

async function created(path: string, body: object): Promise<string> {
  const response = await api.send<{ id: string }>('POST', path, { body });
  if (response.status !== 201) throw new Error(response.text);
  return response.body.id;
}

async function newSection(): Promise<{ course_id: string; section_id: string }> {
  const { id: course_id } = await newCourse(api);
  return { course_id, section_id: await created('/api/v1/sections', { course_id, title: 'Section' }) };
}

const attached = (file_id: string, more: object = {}) => ({ title: 'List', kind: 'file', file_id, ...more });
const newLecture = (section_id: string, attachments: readonly object[] = []) =>
  created('/api/v1/lectures', { section_id, slug: unique('l'), title: 'Lecture', attachments });
const patch = (id: string, body: object) => api.send('PATCH', `/api/v1/lectures/${id}`, { body });
const abort = (id: string) => api.send('POST', `/api/v1/uploads/${id}/abort`);
const appearance = (body: object) => api.send('PATCH', '/api/v1/appearance', { body });
const codeOf = ({ status, body }: { status: number; body: Body }) => [status, body['code']];

/** The number of objects that use a file. */
async function usesOf(id: string): Promise<number> {
  const { rows } = await withDatabase(api.databaseUrl, (client) =>
    client.query<{ uses: number }>('select uses from files where id = $1', [id]),
  );
  return rows[0]?.uses ?? -1;
}

describe('an attachment', () => {
  it('shows the file of a lecture with a link, also in a list and after other changes', async () => {
    const [{ course_id, section_id }, file_id] = [await newSection(), await ready(CSV, CSV_FILE)];
    const url = 'https://cdn.example.com/list.pdf';
    const id = await newLecture(section_id, [attached(file_id), { title: 'Elsewhere', kind: 'pdf', url }]);
    const expected = [
      { ...attached(file_id), url: null, download_url: expect.stringContaining('/files/'), downloadable: false },
      { title: 'Elsewhere', kind: 'pdf', url, file_id: null, download_url: null, downloadable: false },
    ];
    const { body, headers } = await api.send('GET', `/api/v1/lectures/${id}`);
    expect(body['attachments']).toEqual(expected);
    expect(headers['etag']).toMatch(/^"1-\d+"$/);
    const [shown] = body['attachments'] as [{ download_url: string }];
    expect((await follow(api, 'GET', shown.download_url)).text).toBe(CSV);
    const list = await api.send<{ data: Body[] }>('GET', `/api/v1/lectures?course_id=${course_id}`);
    expect(list.body.data).toMatchObject([{ attachments: expected }]);
    const kept = { headers: { 'if-match': headers['etag'] ?? '' }, body: { title: 'Renamed' } };
    expect(await api.send('PATCH', `/api/v1/lectures/${id}`, kept)).toMatchObject({
      status: 200,
      body: { attachments: expected },
    });
    expect((await api.send('POST', `/api/v1/lectures/${id}/publish`)).body['attachments']).toEqual(expected);
    expect(await usesOf(file_id)).toBe(1);
  });

  it.each([
    ['neither a url nor a file', {}, '/attachments/0/url'],
    ['both', { url: 'https://cdn.example.com/a.pdf', file_id: MISSING }, '/attachments/0/file_id'],
    ['a file that is missing', { file_id: MISSING }, '/attachments/0/file_id'],
  ])('refuses %s', async (_name, more, pointer) => {
    const { section_id } = await newSection();
    const attachments = [{ title: 'List', kind: 'pdf', ...more }];
    const body = { section_id, slug: unique('l'), title: 'Lecture', attachments };
    const refused = await api.send('POST', '/api/v1/lectures', { body });
    expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer }]]);
  });

  it('refuses files that are not ready, of another purpose or type, each with its place', async () => {
    const { section_id } = await newSection();
    const files = [
      attached(await ready(CSV, CSV_FILE)),
      attached((await newUpload(api, CSV, CSV_FILE)).id),
      attached(await ready(CSV, {})),
      attached(await ready(CSV, CSV_FILE), { kind: 'pdf' }),
    ];
    const body = { section_id, slug: unique('l'), title: 'Lecture', attachments: files };
    const refused = await api.send('POST', '/api/v1/lectures', { body });
    const errors = refused.body['errors'] as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer)).toEqual([1, 2, 3].map((n) => `/attachments/${n}/file_id`));
    expect(await usesOf(files[0]?.file_id ?? '')).toBe(0);
  });

  it('keeps its file from the sweep and from its uploader until the last lecture ends to use it', async () => {
    const [{ section_id }, file_id] = [await newSection(), await ready(CSV, CSV_FILE)];
    const id = await newLecture(section_id, [attached(file_id)]);
    expect(codeOf(await abort(file_id))).toEqual([409, 'resource_in_use']);
    await withDatabase(api.databaseUrl, (client) =>
      expect(client.query('update files set sweep_at = now() where id = $1', [file_id])).rejects.toThrow('files_uses'),
    );
    await api.service.app.get(FileSweep, { strict: false }).run();
    const key = await api.send('PUT', `/api/v1/lectures/by_external_id/${id}`, {
      body: { section_id, slug: unique('l'), title: 'Other', attachments: [attached(file_id)] },
    });
    expect([key.status, await usesOf(file_id)]).toEqual([201, 2]);
    expect((await patch(id, { attachments: null })).body['attachments']).toEqual([]);
    expect(codeOf(await abort(file_id))).toEqual([409, 'resource_in_use']);
    expect((await api.send('DELETE', `/api/v1/lectures/${String(key.body['id'])}`)).status).toBe(204);
    expect((await abort(file_id)).body).toMatchObject({ state: 'rejected', rejection: 'aborted' });
  });

  it('keeps the file in a copy of the course too, and uses none in a dry run', async () => {
    const [{ course_id, section_id }, file_id] = [await newSection(), await ready(CSV, CSV_FILE)];
    const id = await newLecture(section_id);
    const dry = { body: { attachments: [attached(file_id)] } };
    const shown = await api.send('PATCH', `/api/v1/lectures/${id}?dry_run=true`, dry);
    expect(shown.body['attachments']).toMatchObject([{ file_id, download_url: expect.any(String) }]);
    expect(await usesOf(file_id)).toBe(0);
    await patch(id, dry.body);
    const copy = await api.send('POST', `/api/v1/courses/${course_id}/duplicate`, { body: {} });
    expect([copy.status, await usesOf(file_id)]).toEqual([201, 2]);
    expect((await api.send('DELETE', `/api/v1/courses/${course_id}`)).status).toBe(204);
    expect(await usesOf(file_id)).toBe(1);
    const copied = await api.send<{ data: Body[] }>('GET', `/api/v1/lectures?course_id=${String(copy.body['id'])}`);
    expect(copied.body.data).toMatchObject([{ attachments: [{ file_id, download_url: expect.any(String) }] }]);
  });
});

describe('a logo', () => {
  it('serves a logo to everyone while the appearance or a revision uses it', async () => {
    const id = await ready(SVG, LOGO);
    const url = `${api.sites[0].base_url}/files/public/${id}`;
    expect((await follow(api, 'GET', url)).status).toBe(404);
    const changed = await appearance({ logo_file_id: id, favicon_file_id: id });
    expect(changed.body).toMatchObject({ logo_url: url, logo_file_id: id, favicon_url: url, favicon_file_id: id });
    const shown = await follow(api, 'GET', url);
    expect([shown.status, shown.text]).toEqual([200, SVG]);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    });
    expect((await follow(api, 'GET', url.replace(api.sites[0].host, api.sites[1].host))).status).toBe(404);
    const [event] = (await api.events.of([api.sites[0].site_id], 1)).slice(-1);
    const path = `/files/public/${id}`;
    expect(event?.data).toMatchObject({ logo_url: null, logo_path: path, favicon_path: path });
    const elsewhere = { logo_url: 'https://cdn.example.com/logo.svg', logo_file_id: null };
    expect((await appearance({ ...elsewhere, favicon_url: null })).body).toMatchObject({
      ...elsewhere,
      favicon_url: null,
      favicon_file_id: null,
    });
    expect(codeOf(await abort(id))).toEqual([409, 'resource_in_use']);
    const { body } = await api.send<{ data: { id: string }[] }>('GET', '/api/v1/appearance/revisions?limit=2');
    expect(body.data).toMatchObject([{ logo_file_id: null }, { logo_file_id: id, logo_url: url }]);
    const restored = await api.send('POST', `/api/v1/appearance/revisions/${body.data[1]?.id}/restore`);
    expect(restored.body).toMatchObject({ logo_url: url, logo_file_id: id, favicon_file_id: id });
    expect(await usesOf(id)).toBe(2);
  });

  it('returns with the oldest revision for an owner who did not upload it', async () => {
    const logo_file_id = await ready(SVG, LOGO);
    await appearance({ logo_file_id });
    const { body } = await api.send<{ data: { id: string }[] }>('GET', '/api/v1/appearance/revisions?limit=1');
    await appearance({ logo_file_id: null });
    for (let kept = 2; kept < MAX_REVISIONS; kept += 1)
      await appearance({ footer: [{ label: `Revision ${kept}`, url: '/' }] });
    await withDatabase(api.databaseUrl, (client) =>
      client.query('update files set uploader_id = $1 where id = $2', [randomUUID(), logo_file_id]),
    );
    const restored = await api.send('POST', `/api/v1/appearance/revisions/${body.data[0]?.id}/restore`);
    expect([restored.status, restored.body['logo_file_id']]).toEqual([200, logo_file_id]);
    expect(await usesOf(logo_file_id)).toBe(1);
  });

  it.each([
    ['an attachment', CSV, CSV_FILE],
    ['an image that is no logo', GIF, { purpose: 'image', content_type: 'image/gif' }],
  ])('refuses %s', async (_name, content, more) => {
    const id = await ready(content, more);
    const refused = await appearance({ logo_file_id: id });
    expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/logo_file_id' }]]);
    expect((await follow(api, 'GET', `${api.sites[0].base_url}/files/public/${id}`)).status).toBe(404);
  });

  it.each(['x', '..%2f..%2fsecrets'])('does not exist at %s', async (id) => {
    expect((await follow(api, 'GET', `${api.sites[0].base_url}/files/public/${id}`)).status).toBe(404);
  });
});
