import type { TestApi } from './admin-api.js';

let counter = 0;

/** A text that this test file has not used yet: each file has a database of its own. */
export const unique = (prefix: string): string => `${prefix}-${++counter}`;

interface NewCourse {
  readonly id: string;
  readonly slug: string;
  readonly etag: string;
}

/** A draft at the first site, with what the test wants of it. */
export async function newCourse(api: TestApi, body: object = {}): Promise<NewCourse> {
  const response = await api.send<{ id: string; slug: string }>('POST', '/api/v1/courses', {
    body: { name: 'A course', slug: unique('course'), ...body },
  });
  expect(response.status).toBe(201);
  return { ...response.body, etag: response.headers['etag'] ?? '' };
}
