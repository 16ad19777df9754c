import type { TestApi } from './admin-api.js';
import { unique } from './new-course.js';

/** Creates a section with drafts of lectures, at the first site. Returns their ids. */
export async function newLectures(api: TestApi, course_id: string, count: number): Promise<string[]> {
  const create = async (path: string, body: object): Promise<string> => {
    const response = await api.send<{ id: string }>('POST', path, { body });
    expect(response.status).toBe(201);
    return response.body.id;
  };
  const section_id = await create('/api/v1/sections', { course_id, title: 'Section' });
  const ids: string[] = [];
  for (let index = 1; index <= count; index++) {
    ids.push(await create('/api/v1/lectures', { section_id, slug: unique('lecture'), title: `Lecture ${index}` }));
  }
  return ids;
}

/** Publishes or unpublishes a lecture. */
export async function move(api: TestApi, lecture_id: string, action: 'publish' | 'unpublish'): Promise<void> {
  expect((await api.send('POST', `/api/v1/lectures/${lecture_id}/${action}`)).status).toBe(200);
}
