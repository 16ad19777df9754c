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

describe('creating a course', () => {
  it('answers 201 with the draft and where it is', async () => {
    const slug = unique('created');
    const answer = await api.send('POST', '/api/v1/courses', { body: { name: '  Watercolour ', slug } });
    expect(answer.status).toBe(201);
    expect(course.object.strict().parse(answer.body)).toMatchObject({
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

describe('deleting a course', () => {
  it('answers 204 without a body, once; a rehearsal shows the course and leaves it', async () => {
    const { id, etag } = await create();
    const path = `/api/v1/courses/${id}`;
    const rehearsal = await api.send('DELETE', `${path}?dry_run=true`);
    expect([rehearsal.status, rehearsal.body['id']]).toEqual([200, id]);
    const stale = await api.send('DELETE', path, { headers: { 'if-match': '"99"' } });
    expect(stale.status).toBe(412);
    const headers = { 'if-match': etag, 'idempotency-key': unique('delete') };
    const gone = await api.send('DELETE', path, { headers });
    expect([gone.status, gone.text]).toEqual([204, '']);
    const again = await api.send('DELETE', path, { headers });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([204, 'true']);
    expect((await api.send('DELETE', path)).status).toBe(404);
    expect((await api.send('GET', path)).status).toBe(404);
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
      ['DELETE', `/api/v1/courses/${id}`, undefined],
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
