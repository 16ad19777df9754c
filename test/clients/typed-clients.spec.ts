import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { CompiledClient } from './compiled-client.js';

const CLIENT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api';
type Course = components['schemas']['Course'];
const client = createClient<paths>({ baseUrl: 'https://school.example' });
const id = '019ab3c0-0000-7000-8000-000000000000';
`;

/** The first programs of integrators, without a cast, a default or a check for undefined. */
const USES: Readonly<Record<string, string>> = {
  'reads a course': `
    const { data, error } = await client.GET('/api/v1/courses/{id}', { params: { path: { id } } });
    if (error) throw new Error(error.code);
    const course: Course = data;
    export const title: string = course.name.toUpperCase();`,
  'lists courses page by page': `
    const { data, error } = await client.GET('/api/v1/courses', { params: { query: { limit: 100 } } });
    if (error) throw new Error(error.code);
    export const slugs: string[] = data.data.map(({ slug }) => slug);
    export const next: string | null = data.page.next_cursor;`,
  'creates a course and a section of it': `
    const { data, error } = await client.POST('/api/v1/courses', { body: { name: 'Watercolor', slug: 'watercolor' } });
    if (error) throw new Error(error.code);
    const body = { course_id: data.id, title: 'Paper' };
    const section = await client.POST('/api/v1/sections', { body });
    export const position: number | undefined = section.data?.position;`,
  'changes what it has read, unless it was modified since': `
    const read = await client.GET('/api/v1/courses/{id}', { params: { path: { id } } });
    const header = { 'If-Match': read.response.headers.get('etag') ?? '' };
    const changed = await client.PATCH('/api/v1/courses/{id}', {
      params: { path: { id }, header },
      body: { subtitle: 'For beginners' },
    });
    if (changed.error) throw new Error(changed.error.detail);
    export const state: 'draft' | 'published' | 'unpublished' | 'archived' = changed.data.state;`,
  'writes a student by its own key': `
    const { data, error } = await client.PUT('/api/v1/students/by_external_id/{external_id}', {
      params: { path: { external_id: 'crm-1' } },
      body: { email: 'kai@example.com', name: 'Kai' },
    });
    if (error) throw new Error(error.code);
    export const email: string = data.email;
    export const tags: string[] = data.tags;`,
  'reads the results of a bulk request': `
    const { data, error } = await client.POST('/api/v1/courses/bulk', {
      body: { atomic: false, items: [{ name: 'Ink', slug: 'ink' }] },
    });
    if (error) throw new Error(error.code);
    export const failed: (string | undefined)[] = data.results
      .filter(({ status }) => status >= 400)
      .map(({ errors }) => errors[0]?.pointer);`,
  'finds the enrollments that end': `
    const { data, error } = await client.GET('/api/v1/enrollments', { params: { query: { state: 'active' } } });
    if (error) throw new Error(error.code);
    export const ends: Date[] = data.data.flatMap(({ expires_at }) => (expires_at ? [new Date(expires_at)] : []));`,
  'walks the curriculum of a course': `
    const { data, error } = await client.GET('/api/v1/courses/{course_id}/curriculum', {
      params: { path: { course_id: id } },
    });
    if (error) throw new Error(error.code);
    export const titles: string[] = data.sections.flatMap(({ lectures }) => lectures.map(({ title }) => title));`,
};

describe('the types that openapi-typescript makes of openapi.json', () => {
  let api: string;
  beforeAll(async () => {
    api = astToString(await openapiTS(readFileSync(join(__dirname, '../../dist/openapi.json'), 'utf8')));
  });

  it('compiles eight ordinary uses under strict without a cast', () => {
    const files = Object.entries(USES).map(([name, use]) => [name.replaceAll(' ', '-'), `${CLIENT}${use}`]);
    expect(files).toHaveLength(8);
    expect(new CompiledClient({ api, ...(Object.fromEntries(files) as object) }).faults()).toEqual({});
  });

  it('rejects a field that a course does not have', () => {
    const wrong = `${CLIENT}${USES['reads a course']!.replace('course.name', 'course.price')}`;
    expect(new CompiledClient({ api, wrong }).faults()).toEqual({ wrong: expect.stringContaining("'price'") });
  });
});
