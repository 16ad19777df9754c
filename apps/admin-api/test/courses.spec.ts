import { startAdminApi } from './admin-api.js';
import type { Answered, TestApi } from './admin-api.js';
import { courseList, courseView } from '#src/courses/course.schema.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

let counter = 0;
const unique = (prefix: string): string => `${prefix}-${++counter}`;

async function create(body: object = {}): Promise<{ id: string; slug: string; etag: string }> {
  const slug = unique('course');
  const answer = await api.send<{ id: string; slug: string }>('POST', '/api/v1/courses', {
    body: { name: 'A course', slug, ...body },
  });
  expect(answer.status).toBe(201);
  return { ...answer.body, etag: answer.headers['etag'] ?? '' };
}

describe('creating a course', () => {
  it('answers 201 with the draft and where it is', async () => {
    const slug = unique('created');
    const answer = await api.send('POST', '/api/v1/courses', { body: { name: '  Watercolour ', slug } });
    expect(answer.status).toBe(201);
    expect(courseView.strict().parse(answer.body)).toMatchObject({
      name: 'Watercolour',
      slug,
      state: 'draft',
      published_at: null,
    });
    expect(answer.headers['location']).toBe(`${api.sites[0].base_url}/api/v1/courses/${String(answer.body['id'])}`);
    const found = await api.send('GET', new URL(answer.headers['location'] ?? '').pathname);
    expect(found.body).toEqual(answer.body);
    expect(found.headers['etag']).toBe(answer.headers['etag']);
  });

  it('refuses a slug that the site has, and takes one that only the other site has', async () => {
    const { slug } = await create();
    const again = await api.send('POST', '/api/v1/courses', { body: { name: 'Again', slug } });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ code: 'already_exists', errors: [{ pointer: '/slug' }] });
    const elsewhere = await api.send('POST', '/api/v1/courses', { site: api.sites[1], body: { name: 'Else', slug } });
    expect(elsewhere.status).toBe(201);
  });

  it.each([
    ['a missing member', {}, '/name', 'required'],
    ['an unknown member', { name: 'x', slug: 'x', enrollments_count: 7 }, '/enrollments_count', 'unknown_member'],
    ['a member that only the service sets', { name: 'x', slug: 'x', state: 'published' }, '/state', 'unknown_member'],
    ['an unknown member within', { name: 'x', slug: 'x', seo: { 'a/b~c': 1 } }, '/seo/a~1b~0c', 'unknown_member'],
    ['a wrong type', { name: 7, slug: 'x' }, '/name', 'invalid_type'],
    ['a name that is too long', { name: 'x'.repeat(201), slug: 'x' }, '/name', 'too_large'],
    ['a slug of another shape', { name: 'x', slug: 'Not A Slug' }, '/slug', 'invalid_format'],
    [
      'an image that is no https URL',
      { name: 'x', slug: 'x', image_url: 'http://a.example/x.png' },
      '/image_url',
      'invalid_format',
    ],
    ['a NUL, which no database stores', { name: 'a\u0000b', slug: 'x' }, '/name', 'invalid_value'],
    ['half a surrogate pair', { name: 'x', slug: 'x', seo: { title: '\ud800' } }, '/seo/title', 'invalid_value'],
    ['a tag in a place of the list', { name: 'x', slug: 'x', tags: ['ok', ''] }, '/tags/1', 'too_small'],
  ])('refuses %s with a pointer', async (_what, body, pointer, code) => {
    const answer = await api.send('POST', '/api/v1/courses', { body });
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).toMatchObject({
      code: 'validation_failed',
      errors: expect.arrayContaining([expect.objectContaining({ pointer, code })]),
    });
  });

  it('takes the longest name', async () => {
    expect((await create({ name: 'x'.repeat(200) })).etag).toBe('"1-0"');
  });

  it('cleans the description', async () => {
    const description_html =
      '<p onclick="x()">Hi<script>alert(1)</script> <a href="javascript:x()">a</a><img src="http://x/y.png" alt="z"></p>';
    const { id } = await create({ description_html });
    const { body } = await api.send('GET', `/api/v1/courses/${id}`);
    expect(body['description_html']).toBe('<p>Hi <a rel="noopener noreferrer nofollow">a</a><img alt="z" /></p>');
  });
});

describe('changing a course', () => {
  it('leaves what is absent and clears what is null', async () => {
    const { id } = await create({
      subtitle: 'Sub',
      tags: ['a'],
      seo: { title: 'T', description: 'D' },
      featured: true,
    });
    const answer = await api.send('PATCH', `/api/v1/courses/${id}`, {
      body: { subtitle: null, tags: null, seo: { title: null } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      subtitle: null,
      tags: [],
      seo: { title: null, description: 'D' },
      featured: true,
      name: 'A course',
    });
  });

  it('refuses null for what cannot be empty', async () => {
    const { id } = await create();
    const answer = await api.send('PATCH', `/api/v1/courses/${id}`, { body: { name: null } });
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/name' }] });
  });

  it('honours If-Match: the tag that was read is good once', async () => {
    const { id, etag } = await create();
    const patch = (name: string) =>
      api.send('PATCH', `/api/v1/courses/${id}`, { body: { name }, headers: { 'if-match': etag } });
    expect((await patch('One')).status).toBe(200);
    const stale = await patch('Two');
    expect([stale.status, stale.body['code']]).toEqual([412, 'precondition_failed']);
    expect(
      (await api.send('PATCH', `/api/v1/courses/${id}`, { body: { name: 'Three' }, headers: { 'if-match': '*' } }))
        .status,
    ).toBe(200);
  });

  it('changes nothing, not even the version, when the patch says what is so', async () => {
    const { id, etag } = await create({ subtitle: 'Same' });
    const answer = await api.send('PATCH', `/api/v1/courses/${id}`, { body: { subtitle: 'Same' } });
    expect(answer.headers['etag']).toBe(etag);
  });

  it('refuses the slug of another course', async () => {
    const [one, other] = [await create(), await create()];
    const answer = await api.send('PATCH', `/api/v1/courses/${one.id}`, { body: { slug: other.slug } });
    expect([answer.status, answer.body['code']]).toEqual([409, 'already_exists']);
  });
});

describe('the states of a course', () => {
  it('go from draft to published and unpublished, back, and to archived', async () => {
    const { id } = await create();
    const move = async (name: string) => {
      const answer = await api.send('POST', `/api/v1/courses/${id}/${name}`);
      return answer.status === 200 ? answer.body['state'] : answer.body['code'];
    };
    expect(await move('unpublish')).toBe('invalid_state');
    expect(await move('archive')).toBe('invalid_state');
    expect(await move('publish')).toBe('published');
    const { published_at } = (await api.send('GET', `/api/v1/courses/${id}`)).body;
    expect(published_at).not.toBeNull();
    expect(await move('publish')).toBe('invalid_state');
    expect(await move('archive')).toBe('invalid_state');
    expect(await move('unpublish')).toBe('unpublished');
    expect(await move('publish')).toBe('published');
    expect((await api.send('GET', `/api/v1/courses/${id}`)).body['published_at']).toBe(published_at);
    expect(await move('unpublish')).toBe('unpublished');
    expect(await move('archive')).toBe('archived');
    expect(await move('publish')).toBe('invalid_state');
    const patched = await api.send('PATCH', `/api/v1/courses/${id}`, { body: { name: 'x' } });
    expect(patched.body['code']).toBe('invalid_state');
  });

  it('take no body, or an empty object', async () => {
    const { id } = await create();
    const refused = await api.send('POST', `/api/v1/courses/${id}/publish`, { body: { now: true } });
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/now', code: 'unknown_member' }],
    });
    expect((await api.send('POST', `/api/v1/courses/${id}/publish`, { body: {} })).status).toBe(200);
  });
});

describe('another site', () => {
  it('cannot see, list or change a course', async () => {
    const { id, slug } = await create();
    const site = api.sites[1];
    for (const [method, path, body] of [
      ['GET', `/api/v1/courses/${id}`, undefined],
      ['PATCH', `/api/v1/courses/${id}`, { name: 'Mine' }],
      ['POST', `/api/v1/courses/${id}/publish`, undefined],
    ] as const) {
      const foreign = await api.send(method, path, { site, body });
      const missing = await api.send(method, path.replace(id, '019ab3c0-0000-7000-8000-000000000000'), { site, body });
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, request_id: '', instance: '' }).toEqual({
        ...missing.body,
        request_id: '',
        instance: '',
      });
    }
    const listed = await api.send<{ data: unknown[] }>('GET', `/api/v1/courses?q=${slug}`, { site });
    expect(listed.body.data).toEqual([]);
    expect((await api.send('GET', `/api/v1/courses/${id}`)).body).toMatchObject({ name: 'A course', state: 'draft' });
  });

  it('takes no token of this one', async () => {
    const answer = await api.send('GET', '/api/v1/courses', {
      site: api.sites[1],
      token: await api.token('courses:read'),
    });
    expect(answer.status).toBe(401);
    expect(answer.body['code']).toBe('invalid_token');
    expect(answer.headers['www-authenticate']).toContain('resource_metadata=');
  });
});

it('what is no UUID names nothing', async () => {
  for (const id of ['1', 'x'.repeat(40), "1' or '1'='1", '%00']) {
    const answer = await api.send('GET', `/api/v1/courses/${encodeURIComponent(id)}`);
    expect([answer.status, answer.body['code']]).toEqual([404, 'not_found']);
  }
});

describe('listing courses', () => {
  it('pages through everything once, in every order', async () => {
    const mark = unique('paged');
    for (const name of ['Beta', 'Alpha', 'Alpha', 'Gamma', 'Delta']) await create({ name: `${mark} ${name}` });
    for (const sort of ['created_at', '-created_at', 'name', '-name']) {
      const seen: Record<string, unknown>[] = [];
      let path: string | undefined = `/api/v1/courses?q=${mark}&limit=2&sort=${sort}`;
      while (path !== undefined) {
        const answer: Answered = await api.send('GET', path);
        const { data, page } = courseList.parse(answer.body);
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
      courseList.parse((await api.send('GET', `/api/v1/courses?q=${encodeURIComponent(mark)}&${query}`)).body);
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
