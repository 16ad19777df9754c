import type { Answered } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { course } from '#src/courses/course.schema.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const create = (body?: object) => newCourse(api, body);

describe('listing courses', () => {
  it('pages through everything once, in every order', async () => {
    const mark = unique('paged');
    for (const name of ['Beta', 'Alpha', 'Alpha', 'Gamma', 'Delta']) await create({ name: `${mark} ${name}` });
    for (const sort of ['created_at', '-created_at', 'name', '-name']) {
      const seen: Record<string, unknown>[] = [];
      let path: string | undefined = `/api/v1/courses?q=${mark}&limit=2&sort=${sort}`;
      while (path !== undefined) {
        const answer: Answered = await api.send('GET', path);
        const { data, page } = course.list.parse(answer.body);
        seen.push(...data);
        expect(page.has_more).toBe(page.next_cursor !== null);
        const next: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
        expect(next === undefined).toBe(!page.has_more);
        path = next?.replace(api.sites[0].base_url, '');
      }
      expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
      const values = seen.map((course) => String(course[sort.replace('-', '')]));
      const ordered = [...values].sort();
      expect(values).toEqual(sort.startsWith('-') ? ordered.reverse() : ordered);
    }
  });

  it('filters by state, text and time, and counts when asked', async () => {
    const mark = unique('filtered');
    const first = await create({ name: `${mark} 100%_a` });
    await create({ name: `${mark} 100xxb` });
    await api.send('POST', `/api/v1/courses/${first.id}/publish`);
    const list = async (query: string) =>
      course.list.parse((await api.send('GET', `/api/v1/courses?q=${encodeURIComponent(mark)}&${query}`)).body);
    expect((await list('state=published')).data.map(({ id }) => id)).toEqual([first.id]);
    expect((await list('include_total=true&limit=1')).page).toMatchObject({ total_count: 2, has_more: true, limit: 1 });
    expect((await list('include_total=true&state=archived')).page).toMatchObject({ total_count: 0, has_more: false });
    const literal = await api.send<{ data: { id: string }[] }>(
      'GET',
      `/api/v1/courses?q=${encodeURIComponent(`${mark} 100%_`)}`,
    );
    expect(literal.body.data.map(({ id }) => id)).toEqual([first.id]);
    const { created_at: at } = (await api.send('GET', `/api/v1/courses/${first.id}`)).body;
    const instant = encodeURIComponent(String(at));
    expect((await list(`created_at[gte]=${instant}`)).data).toHaveLength(2);
    expect((await list(`created_at[gt]=${instant}`)).data).toHaveLength(1);
    expect((await list(`created_at[lte]=${instant}`)).data).toHaveLength(1);
    expect((await list(`created_at[lt]=${instant}`)).data).toHaveLength(0);
  });

  it.each([
    ['limit=0', 'invalid_request'],
    ['limit=101', 'invalid_request'],
    ['limit=', 'invalid_request'],
    ['limit=1e1', 'invalid_request'],
    ['limit=5&limit=6', 'invalid_request'],
    ['sort=enrollments_count', 'invalid_request'],
    ['state=gone', 'invalid_request'],
    ['created_at[gte]=yesterday', 'invalid_request'],
    ['created_at[gte]=0000-01-01T00:00:00Z', 'invalid_request'],
    ['include_total=1', 'invalid_request'],
    ['fields=id,site_id', 'invalid_request'],
    ['q=%00', 'invalid_request'],
    ['offset=20', 'unknown_parameter'],
    ['created_at[eq]=2026-01-01T00:00:00Z', 'unknown_parameter'],
    ['__proto__=1', 'unknown_parameter'],
    ['cursor=abc', 'invalid_cursor'],
  ])('refuses ?%s', async (query, code) => {
    const answer = await api.send('GET', `/api/v1/courses?${query}`);
    expect([answer.status, answer.body['code']]).toEqual([400, code]);
  });

  it('takes limits from 1 to 100, and 20 without one', async () => {
    expect((await api.send('GET', '/api/v1/courses?limit=1')).status).toBe(200);
    expect((await api.send('GET', '/api/v1/courses?limit=100')).body).toMatchObject({ page: { limit: 100 } });
    expect((await api.send('GET', '/api/v1/courses')).body).toMatchObject({ page: { limit: 20 } });
  });

  it('refuses a cursor of another filter, sort, collection or site', async () => {
    await create();
    await create();
    const { body } = await api.send<{ page: { next_cursor: string } }>('GET', '/api/v1/courses?limit=1');
    const cursor = body.page.next_cursor;
    expect((await api.send('GET', `/api/v1/courses?limit=2&cursor=${cursor}`)).status).toBe(200);
    for (const path of [
      `/api/v1/courses?state=draft&cursor=${cursor}`,
      `/api/v1/courses?sort=name&cursor=${cursor}`,
      `/api/v1/students?cursor=${cursor}`,
      `/api/v1/courses?cursor=${cursor.slice(0, -2)}AA`,
    ]) {
      expect((await api.send('GET', path)).body['code']).toBe('invalid_cursor');
    }
    const elsewhere = await api.send('GET', `/api/v1/courses?cursor=${cursor}`, { site: api.sites[1] });
    expect(elsewhere.body['code']).toBe('invalid_cursor');
  });

  it('gives only the members that are asked for', async () => {
    const { id } = await create();
    const list = await api.send<{ data: object[] }>('GET', '/api/v1/courses?fields=name,id&limit=1');
    expect(Object.keys(list.body.data[0] ?? {}).sort()).toEqual(['id', 'name']);
    const one = await api.send('GET', `/api/v1/courses/${id}?fields=description_html`);
    expect(one.body).toEqual({ description_html: null });
  });

  it('answers 304 to who has it already, one or many', async () => {
    const { id } = await create();
    for (const path of [`/api/v1/courses/${id}`, '/api/v1/courses?limit=3']) {
      const first = await api.send('GET', path);
      expect(first.headers['cache-control']).toBe('private, no-cache');
      const again = await api.send('GET', path, {
        headers: { 'if-none-match': `"x", W/${first.headers['etag'] ?? ''}` },
      });
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', first.headers['etag']]);
    }
    await api.send('PATCH', `/api/v1/courses/${id}`, { body: { name: 'Renamed' } });
    const { headers } = await api.send('GET', `/api/v1/courses/${id}`);
    expect((await api.send('GET', `/api/v1/courses/${id}`, { headers: { 'if-none-match': '"1-0"' } })).status).toBe(
      200,
    );
    expect(headers['etag']).toBe('"2-0"');
  });
});
