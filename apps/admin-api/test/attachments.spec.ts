import { lectureAttachmentEvents } from '@lyceum/contracts';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { CSV, arrived, complete } from './new-upload.js';
import type { SeenEvent } from './school-stream.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const URL = 'https://cdn.example.com/list.pdf';
const LINKED = { title: 'Elsewhere', kind: 'pdf', url: URL, downloadable: true };

async function newFile(): Promise<string> {
  const upload = await arrived(api, CSV, { purpose: 'attachment' });
  expect((await complete(api, upload)).status).toBe(200);
  return upload.id;
}

async function created(path: string, body: object): Promise<string> {
  const response = await api.send<{ id: string }>('POST', path, { body });
  if (response.status !== 201) throw new Error(response.text);
  return response.body.id;
}

async function newLecture(attachments: readonly object[]): Promise<{ course_id: string; id: string }> {
  const { id: course_id } = await newCourse(api);
  const section_id = await created('/api/v1/sections', { course_id, title: 'Section' });
  const id = await created('/api/v1/lectures', { section_id, slug: unique('l'), title: 'Lecture', attachments });
  return { course_id, id };
}

const attached = (file_id: string) => ({ title: 'List', kind: 'file', file_id });
const change = (id: string, body: object) => api.send('PATCH', `/api/v1/lectures/${id}`, { body });

/** The events with the attachments of a course, as [version, name, titles]. */
async function publishedOf(course_id: string, count: number): Promise<unknown[]> {
  const of = ({ type, data }: SeenEvent) =>
    type.startsWith('school.lecture_attachments.') && data['course_id'] === course_id;
  const events = await api.events.matching(of, count);
  return events.map(({ aggregate_version, type, data }) => {
    const { attachments } = lectureAttachmentEvents.data.parse(data);
    return [aggregate_version, type.split('.')[2], attachments.map(({ title }) => title)];
  });
}

describe('the attachments of a lecture', () => {
  it('publishes attachments with the facts of their files when they change, and their end with the lecture', async () => {
    const file_id = await newFile();
    const { course_id, id } = await newLecture([attached(file_id), LINKED]);
    const [event] = await api.events.matching(
      ({ type, aggregate_id }) => type.includes('attach') && aggregate_id === id,
      1,
    );
    const file = { file_id, filename: 'students.csv', content_type: 'text/csv', bytes: CSV.length };
    expect(event?.data).toEqual({
      lecture_id: id,
      course_id,
      site_id: api.sites[0].site_id,
      attachments: [
        { title: 'List', kind: 'file', url: null, file, downloadable: false },
        { title: 'Elsewhere', kind: 'pdf', url: URL, file: null, downloadable: true },
      ],
    });
    await change(id, { title: 'Renamed' });
    await change(id, { attachments: [LINKED] });
    await change(id, { attachments: [] });
    await change(id, { attachments: [LINKED] });
    expect((await api.send('DELETE', `/api/v1/lectures/${id}`)).status).toBe(204);
    expect(await publishedOf(course_id, 5)).toEqual([
      [1, 'changed', ['List', 'Elsewhere']],
      [3, 'changed', ['Elsewhere']],
      [4, 'changed', []],
      [5, 'changed', ['Elsewhere']],
      [6, 'deleted', []],
    ]);
    const { body } = await api.send<{ data: object[] }>('GET', `/api/v1/activity?object_id=${id}`);
    expect(body.data).toEqual([]);
  });

  it('publishes attachments of a copied course, and their end with the course', async () => {
    const { course_id } = await newLecture([LINKED]);
    const copy = await api.send('POST', `/api/v1/courses/${course_id}/duplicate`, { body: {} });
    expect(await publishedOf(String(copy.body['id']), 1)).toEqual([[1, 'changed', ['Elsewhere']]]);
    expect((await api.send('DELETE', `/api/v1/courses/${course_id}`)).status).toBe(204);
    expect(await publishedOf(course_id, 2)).toEqual([
      [1, 'changed', ['Elsewhere']],
      [2, 'deleted', []],
    ]);
  });
});
