import type { TestSite } from '@lyceum/testing';
import type { TestApi } from './admin-api.js';

let counter = 0;

/** A text that is unique in this test file, which has its own database. */
export const unique = (prefix: string): string => `${prefix}-${++counter}`;

interface NewCourse {
  readonly id: string;
  readonly slug: string;
  readonly etag: string;
}

/** Creates a draft with the given members, at the first site by default. */
export async function newCourse(api: TestApi, body: object = {}, site: TestSite = api.sites[0]): Promise<NewCourse> {
  const response = await api.send<{ id: string; slug: string }>('POST', '/api/v1/courses', {
    site,
    body: { name: 'A course', slug: unique('course'), ...body },
  });
  expect(response.status).toBe(201);
  return { ...response.body, etag: response.headers['etag'] ?? '' };
}
