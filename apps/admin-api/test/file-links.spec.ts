import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { linked } from './linked-file.js';
import { newCourse, unique } from './new-course.js';
import { CSV, arrived, complete, follow } from './new-upload.js';

const LOGO = { purpose: 'logo', filename: 'logo.svg', content_type: 'image/svg+xml' };
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

async function ready(content: string, more: object): Promise<string> {
  const upload = await arrived(api, content, more);
  expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  return upload.id;
}

it('links a file that an object uses for ten minutes, at its site only', async () => {
  const file_id = await ready(CSV, { purpose: 'attachment' });
  expect(await linked(api, file_id)).toBe('not_found');
  const { id: course_id } = await newCourse(api);
  const section = await api.send('POST', '/api/v1/sections', { body: { course_id, title: 'Section' } });
  const attachments = [{ title: 'List', kind: 'file', file_id }];
  const lecture = { section_id: section.body['id'], slug: unique('l'), title: 'Lecture', attachments };
  expect((await api.send('POST', '/api/v1/lectures', { body: lecture })).status).toBe(201);
  const link = await linked(api, file_id);
  if (typeof link === 'string') throw new Error(link);
  const seconds = (link.ends.getTime() - Date.now()) / 1000;
  expect(seconds).toBeGreaterThan(590);
  expect(seconds).toBeLessThanOrEqual(600);
  const { text, headers: shown } = await follow(api, 'GET', link.url);
  expect([text, shown['content-disposition']]).toEqual([CSV, expect.stringContaining('students.csv')]);
  expect(await linked(api, file_id, api.sites[1])).toBe('not_found');
});

it('links no file of another purpose, also while an object uses it', async () => {
  const logo_file_id = await ready(SVG, LOGO);
  expect((await api.send('PATCH', '/api/v1/appearance', { body: { logo_file_id } })).status).toBe(200);
  expect(await linked(api, logo_file_id)).toBe('not_found');
});

it('changes the entity tag of a ready upload with its link, and accepts the former tag of an edit', async () => {
  const path = `/api/v1/uploads/${await ready(CSV, { purpose: 'attachment' })}`;
  const before = await api.send('GET', path);
  const fresh = { headers: { 'if-none-match': String(before.headers['etag']) } };
  expect((await api.send('GET', path, fresh)).status).toBe(304);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  try {
    const after = await api.send('GET', path, fresh);
    expect(after.status).toBe(200);
    expect(after.body['url']).not.toBe(before.body['url']);
    const match = { headers: { 'if-match': String(before.headers['etag']) } };
    expect((await api.send('POST', `${path}/complete`, match)).body).toMatchObject({ state: 'ready' });
  } finally {
    clock.mockRestore();
  }
});
