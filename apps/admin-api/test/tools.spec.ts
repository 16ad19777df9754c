import { randomUUID } from 'node:crypto';
import type { Principal } from '@lyceum/contracts';
import { TOOLS_BUCKET, toolCatalogueSchema } from '@lyceum/contracts';
import { Kvm } from '@nats-io/kv';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

interface Items {
  readonly items: Record<string, unknown>[];
  readonly next_cursor: string | null;
}

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const operator = (scopes: string[], site = api.sites[0]): Principal => ({
  person_id: randomUUID(),
  site_id: site.site_id,
  client_id: 'an-app',
  audience: 'operator',
  scopes,
  grant_id: 'grant',
  token_fingerprint: '0123456789abcdef',
  expires_at: Math.floor(Date.now() / 1000) + 60,
});

async function call<T>(name: string, args: object, scopes: string[] | null = null, site = api.sites[0]): Promise<T> {
  const principal = scopes === null ? null : operator(scopes, site);
  const reply = await api.events.callTool(name, args, { site_id: site.site_id, principal });
  return (reply.ok ? reply.result : { ...reply.error, ok: false }) as T;
}

let counter = 0;
async function course(state: 'draft' | 'published', body: object = {}): Promise<{ id: string; slug: string }> {
  const slug = `tool-${++counter}`;
  const created = await api.send<{ id: string }>('POST', '/api/v1/courses', {
    body: { name: `Course ${slug}`, slug, ...body },
  });
  expect(created.status).toBe(201);
  if (state === 'published') await api.send('POST', `/api/v1/courses/${created.body.id}/publish`);
  return { id: created.body.id, slug };
}

describe('the catalogue of tools', () => {
  it('is in the bucket, with schemas and who may call', async () => {
    const { NATS_URL, NATS_USER, NATS_PASSWORD } = api.nats.environment('admin');
    const connection = await connect({ servers: NATS_URL, user: NATS_USER, pass: NATS_PASSWORD });
    try {
      const bucket = await new Kvm(jetstream(connection)).open(TOOLS_BUCKET);
      const entry = await bucket.get('admin-api');
      const { tools } = toolCatalogueSchema.parse(entry?.json());
      expect(
        Object.fromEntries(tools.map(({ name, audience, scopes }) => [name, `${audience} ${scopes.join(' ')}`])),
      ).toEqual({
        enroll_student: 'operator students:write',
        get_course: 'public ',
        list_courses: 'operator courses:read',
        search_catalog: 'public ',
      });
      for (const { inputSchema, annotations, name } of tools) {
        expect(inputSchema['additionalProperties']).toBe(false);
        expect(annotations.readOnlyHint).toBe(name !== 'enroll_student');
      }
    } finally {
      await connection.close();
    }
  });
});

describe('search_catalog', () => {
  it('shows anybody what is published and not hidden, page by page', async () => {
    const mark = `Mark${randomUUID().slice(0, 8)}`;
    const shown = [await course('published', { name: `${mark} b` }), await course('published', { name: `${mark} a` })];
    await course('draft', { name: `${mark} c` });
    await course('published', { name: `${mark} d`, hidden: true });
    const first = await call<Items>('search_catalog', { q: mark.toLowerCase(), first: 1 });
    expect(first.items).toMatchObject([{ slug: shown[1]?.slug, name: `${mark} a` }]);
    const second = await call<Items>('search_catalog', { q: mark.toLowerCase(), first: 1, after: first.next_cursor });
    expect(second.items).toMatchObject([{ slug: shown[0]?.slug }]);
    expect(second.next_cursor).toBeNull();
    expect((await call<Items>('search_catalog', { q: mark }, null, api.sites[1])).items).toEqual([]);
    expect(Object.keys(first.items[0] ?? {}).sort()).toEqual([
      'course_type',
      'featured',
      'name',
      'slug',
      'subtitle',
      'tags',
    ]);
  });

  it.each([
    [{ first: 0 }, 'validation_failed'],
    [{ first: 51 }, 'validation_failed'],
    [{ limit: 5 }, 'validation_failed'],
    [{ after: 'forged' }, 'invalid_cursor'],
  ])('refuses %j with %s, so that a model can repair it', async (args, code) => {
    expect(await call('search_catalog', args)).toMatchObject({ ok: false, code });
  });

  it('takes pages from 1 to 50', async () => {
    for (const first of [1, 50]) expect(await call('search_catalog', { first })).toHaveProperty('items');
  });
});

describe('get_course', () => {
  it('reads what is published, hidden ones too, and nothing else', async () => {
    const [published, hidden, draft] = [
      await course('published', { description_html: '<p>Hi</p>' }),
      await course('published', { hidden: true }),
      await course('draft'),
    ];
    expect(await call('get_course', { slug: published.slug })).toMatchObject({
      slug: published.slug,
      description_html: '<p>Hi</p>',
      description_truncated: false,
    });
    expect(await call('get_course', { slug: hidden.slug })).toMatchObject({ slug: hidden.slug });
    for (const slug of [draft.slug, 'no-such-course']) {
      expect(await call('get_course', { slug })).toMatchObject({ ok: false, code: 'not_found' });
    }
    expect(await call('get_course', { slug: published.slug }, null, api.sites[1])).toMatchObject({ code: 'not_found' });
  });

  it('stays below 60 KB whatever the description is', async () => {
    const { slug } = await course('published', { description_html: `<p>${'課'.repeat(99_000)}</p>` });
    const result = await call<Record<string, unknown>>('get_course', { slug });
    expect(result['description_truncated']).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(60_000);
  });
});

describe('list_courses', () => {
  it('shows an operator every state, and wants the scope', async () => {
    const { slug } = await course('draft');
    const found = await call<Items>('list_courses', { q: slug, state: 'draft' }, ['courses:read']);
    expect(found.items).toMatchObject([{ slug, state: 'draft', enrollments_count: 0 }]);
    expect(await call('list_courses', {}, ['courses:write'])).toMatchObject({ code: 'insufficient_scope' });
    expect(await call('list_courses', {})).toMatchObject({ ok: false });
  });

  it('is fenced by the site of the principal, and keeps its pages below 60 KB', async () => {
    await Promise.all(Array.from({ length: 50 }, () => course('draft', { name: '課'.repeat(200) })));
    const page = await call<Items>('list_courses', { first: 50 }, ['courses:read']);
    expect(page.items).toHaveLength(50);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(60_000);
    expect((await call<Items>('list_courses', {}, ['courses:read'], api.sites[1])).items).toEqual([]);
  });
});

describe('enroll_student', () => {
  const write = ['students:write'];

  it('adds a student who is not known and enrols them, once', async () => {
    const { id, slug } = await course('published');
    const email = `${randomUUID()}@example.com`;
    const first = await call('enroll_student', { email, name: 'Mei', course_slug: slug }, write);
    expect(first).toMatchObject({
      student: { email, name: 'Mei' },
      course: { id, slug },
      enrollment: { state: 'active', course_id: id },
      student_added: true,
      enrolled_before: false,
      dry_run: false,
    });
    const again = await call('enroll_student', { email: email.toUpperCase(), course_id: id }, write);
    expect(again).toMatchObject({ student_added: false, enrolled_before: true });
    const { body } = await api.send('GET', `/api/v1/courses/${id}`);
    expect(body['enrollments_count']).toBe(1);
  });

  it('gives the same answer again for the same key, and refuses the key for something else', async () => {
    const { slug } = await course('published');
    const args = { email: `${randomUUID()}@example.com`, course_slug: slug, idempotency_key: randomUUID() };
    const caller = { site_id: api.sites[0].site_id, principal: operator(write) };
    const first = await api.events.callTool('enroll_student', args, caller);
    expect(first).toMatchObject({ ok: true, result: { enrolled_before: false } });
    expect(await api.events.callTool('enroll_student', args, caller)).toEqual(first);
    const other = { ...args, expires_at: '2999-01-01T00:00:00Z' };
    expect(await api.events.callTool('enroll_student', other, caller)).toMatchObject({
      error: { code: 'idempotency_key_reused' },
    });
  });

  it('changes nothing when it is a dry run', async () => {
    const { id, slug } = await course('published');
    const email = `${randomUUID()}@example.com`;
    const result = await call('enroll_student', { email, course_slug: slug, dry_run: true }, write);
    expect(result).toMatchObject({ student_added: true, dry_run: true });
    expect((await api.send<{ data: unknown[] }>('GET', `/api/v1/students?email=${email}`)).body.data).toEqual([]);
    expect((await api.send('GET', `/api/v1/courses/${id}`)).body['enrollments_count']).toBe(0);
  });

  it.each([
    ['neither e-mail nor id', { course_slug: 'x' }],
    ['both', { email: 'a@example.com', student_id: randomUUID(), course_slug: 'x' }],
    ['no course', { email: 'a@example.com' }],
  ])('says what to give when there is %s', async (_what, args) => {
    expect(await call('enroll_student', args, write)).toMatchObject({
      code: 'validation_failed',
      hint: expect.stringContaining(' or '),
    });
  });

  it('knows only courses and students of its own site, and wants the scope', async () => {
    const { slug } = await course('published');
    const email = `${randomUUID()}@example.com`;
    expect(await call('enroll_student', { email, course_slug: slug }, write, api.sites[1])).toMatchObject({
      code: 'not_found',
    });
    expect(await call('enroll_student', { student_id: randomUUID(), course_slug: slug }, write)).toMatchObject({
      code: 'not_found',
    });
    expect(await call('enroll_student', { email, course_slug: slug }, ['students:read'])).toMatchObject({
      code: 'insufficient_scope',
    });
  });
});
