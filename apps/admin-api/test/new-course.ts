import type { TestApi } from './admin-api.js';

let counter = 0;

/** A text that is unique in this test file, which has its own database. */
export const unique = (prefix: string): string => `${prefix}-${++counter}`;

interface NewCourse {
  readonly id: string;
  readonly slug: string;
  readonly etag: string;
}

/** Creates a draft at the first site with the given members. */
export async function newCourse(api: TestApi, body: object = {}): Promise<NewCourse> {
  const response = await api.send<{ id: string; slug: string }>('POST', '/api/v1/courses', {
    body: { name: 'A course', slug: unique('course'), ...body },
  });
  expect(response.status).toBe(201);
  return { ...response.body, etag: response.headers['etag'] ?? '' };
}
