import { TEXT_PIECE_LENGTH, TOPOLOGY_LIMITS, textEvents } from '@lyceum/contracts';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import type { SeenEvent } from './school-stream.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const TEXT = '<p>Make a loop.</p>';

async function created(path: string, body: object): Promise<string> {
  const response = await api.send<{ id: string }>('POST', path, { body });
  if (response.status !== 201) throw new Error(response.text);
  return response.body.id;
}

async function newLecture(given: object): Promise<{ course_id: string; id: string; section_id: string }> {
  const { id: course_id } = await newCourse(api);
  const section_id = await created('/api/v1/sections', { course_id, title: 'Section' });
  const id = await created('/api/v1/lectures', { section_id, slug: unique('l'), title: 'Lecture', ...given });
  return { course_id, id, section_id };
}

/** The events with the texts of a course, as [version, name, kind, html, piece]. */
async function publishedOf(course_id: string, count: number): Promise<unknown[]> {
  const of = ({ type, data }: SeenEvent) => type.startsWith('school.text.') && data['course_id'] === course_id;
  const events = await api.events.matching(of, count);
  return events.map(({ aggregate_version, type, data }) => {
    const { kind, html, piece } = textEvents.data.parse(data);
    return [aggregate_version, type.split('.')[2], kind, html, `${piece.index + 1} of ${piece.count}`];
  });
}

/** Aggregates have no order among each other. */
const sorted = (events: readonly unknown[]): unknown[] =>
  events.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe('the content of a lecture', () => {
  it('follows each change, and ends with the lecture', async () => {
    const { course_id, id } = await newLecture({ content_html: TEXT });
    const [event] = await api.events.matching(
      ({ type, aggregate_id }) => type.includes('.text.') && aggregate_id === id,
      1,
    );
    const [piece, site_id] = [{ index: 0, count: 1 }, api.sites[0].site_id];
    expect(event?.data).toEqual({ owner_id: id, kind: 'lecture_content', course_id, site_id, piece, html: TEXT });
    for (const body of [{ title: 'Renamed' }, { content_html: '<p>New</p>' }, { content_html: null }]) {
      expect((await api.send('PATCH', `/api/v1/lectures/${id}`, { body })).status).toBe(200);
    }
    await api.send('PATCH', `/api/v1/lectures/${id}`, { body: { content_html: TEXT } });
    expect((await api.send('DELETE', `/api/v1/lectures/${id}`)).status).toBe(204);
    expect(await publishedOf(course_id, 5)).toEqual([
      [1, 'changed', 'lecture_content', TEXT, '1 of 1'],
      [3, 'changed', 'lecture_content', '<p>New</p>', '1 of 1'],
      [4, 'changed', 'lecture_content', '', '1 of 1'],
      [5, 'changed', 'lecture_content', TEXT, '1 of 1'],
      [6, 'deleted', 'lecture_content', '', '1 of 1'],
    ]);
    const { body } = await api.send<{ data: object[] }>('GET', `/api/v1/activity?object_id=${id}`);
    expect(body.data).toEqual([]);
  });

  it('follows an upsert, and each lecture of a bulk request that has one', async () => {
    const { course_id, section_id } = await newLecture({});
    const path = `/api/v1/lectures/by_external_id/${unique('x')}`;
    const body = { section_id, slug: unique('l'), title: 'Lecture', content_html: TEXT };
    expect((await api.send('PUT', path, { body })).status).toBe(201);
    expect((await api.send('PUT', path, { body: { ...body, content_html: '<p>Two</p>' } })).status).toBe(200);
    const items = [null, '<p>Bulk</p>'].map((content_html) => ({ ...body, slug: unique('l'), content_html }));
    expect((await api.send('POST', '/api/v1/lectures/bulk', { body: { items } })).status).toBe(200);
    expect(sorted(await publishedOf(course_id, 3))).toEqual([
      [1, 'changed', 'lecture_content', '<p>Bulk</p>', '1 of 1'],
      [1, 'changed', 'lecture_content', TEXT, '1 of 1'],
      [2, 'changed', 'lecture_content', '<p>Two</p>', '1 of 1'],
    ]);
  });

  it('arrives in pieces when it is longer than an event, and each event stays below its limit', async () => {
    const longest = `<p>${'紙'.repeat(99_993)}</p>`;
    const { course_id } = await newLecture({ content_html: longest });
    const of = ({ type, data }: SeenEvent) => type.startsWith('school.text.') && data['course_id'] === course_id;
    const events = await api.events.matching(of, Math.ceil(longest.length / TEXT_PIECE_LENGTH));
    expect(events).toHaveLength(3);
    expect(events.map(({ data }) => textEvents.data.parse(data).html).join('')).toBe(longest);
    for (const event of events) {
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(TOPOLOGY_LIMITS.eventBytes);
    }
  });
});

describe('the description of a course', () => {
  it('follows each change and a copy, and ends with the course', async () => {
    const { id } = await newCourse(api, { description_html: TEXT });
    const patch = (body: object) => api.send('PATCH', `/api/v1/courses/${id}`, { body });
    await patch({ name: 'Renamed' });
    await patch({ description_html: '<p>New</p>' });
    const section_id = await created('/api/v1/sections', { course_id: id, title: 'Section' });
    await created('/api/v1/lectures', { section_id, slug: unique('l'), title: 'Lecture', content_html: TEXT });
    const copy = await api.send('POST', `/api/v1/courses/${id}/duplicate`, { body: {} });
    expect(sorted(await publishedOf(String(copy.body['id']), 2))).toEqual([
      [1, 'changed', 'course_description', '<p>New</p>', '1 of 1'],
      [1, 'changed', 'lecture_content', TEXT, '1 of 1'],
    ]);
    expect((await api.send('DELETE', `/api/v1/courses/${id}`)).status).toBe(204);
    expect(sorted(await publishedOf(id, 5))).toEqual([
      [1, 'changed', 'course_description', TEXT, '1 of 1'],
      [1, 'changed', 'lecture_content', TEXT, '1 of 1'],
      [2, 'deleted', 'lecture_content', '', '1 of 1'],
      [3, 'changed', 'course_description', '<p>New</p>', '1 of 1'],
      [4, 'deleted', 'course_description', '', '1 of 1'],
    ]);
  });
});
