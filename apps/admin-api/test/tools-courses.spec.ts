import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { publishedCourse, toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const READ = { scopes: ['courses:read'] };
const WRITE = { scopes: ['courses:write'] };
const BOTH = { scopes: ['courses:read', 'courses:write'] };

interface Changed {
  readonly course: Record<string, unknown> & { readonly id: string };
  readonly dry_run: boolean;
}

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

const stateOf = async (id: string): Promise<unknown> => (await api.send('GET', `/api/v1/courses/${id}`)).body['state'];

describe('list_courses', () => {
  it('shows drafts to an operator', async () => {
    const { slug } = await newCourse(api);
    const found = await call<Items>('list_courses', { q: slug, state: 'draft' }, READ);
    expect(found.items).toMatchObject([{ slug, state: 'draft', enrollments_count: 0 }]);
  });

  it('continues after the previous page', async () => {
    const mark = unique('paged');
    const slugs = [`${mark}-a`, `${mark}-b`];
    for (const slug of slugs) await newCourse(api, { slug });
    const first = await call<Items>('list_courses', { q: mark, first: 1 }, READ);
    const second = await call<Items>('list_courses', { q: mark, first: 1, after: first.next_cursor }, READ);
    expect([...first.items, ...second.items].map(({ slug }) => slug)).toEqual(slugs.toReversed());
    expect(second.next_cursor).toBeNull();
  });

  it('lists only courses of the site of the principal, in pages below 60 KB', async () => {
    await Promise.all(Array.from({ length: 50 }, () => newCourse(api, { name: '課'.repeat(200) })));
    const page = await call<Items>('list_courses', { first: 50 }, READ);
    expect(page.items).toHaveLength(50);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(60_000);
    expect((await call<Items>('list_courses', {}, { ...READ, site: api.sites[1] })).items).toEqual([]);
  });
});

describe('get_course', () => {
  it('shows drafts with all members and cuts a long description', async () => {
    const { id, slug } = await newCourse(api, { description_html: `<p>${'課'.repeat(99_000)}</p>`, hidden: true });
    const course = await call('get_course', { id: id.toUpperCase() }, READ);
    expect(course).toMatchObject({ id, slug, state: 'draft', hidden: true, description_truncated: true });
    expect(Buffer.byteLength(JSON.stringify(course))).toBeLessThan(60_000);
  });
});

describe('create_course', () => {
  it('creates a draft, cleans its description and refuses a used slug', async () => {
    const args = { name: 'Ropes', slug: unique('ropes'), description_html: '<p>Hi<script>no</script></p>' };
    const { course, dry_run } = await call<Changed>('create_course', args, WRITE);
    expect(dry_run).toBe(false);
    expect(course).toMatchObject({ slug: args.slug, state: 'draft', description_html: '<p>Hi</p>' });
    expect(await stateOf(course.id)).toBe('draft');
    expect(await call('create_course', args, WRITE)).toMatchObject({ code: 'already_exists' });
  });

  it('returns the same course for the same key and refuses the key for another one', async () => {
    const caller = { ...WRITE, person_id: randomUUID() };
    const args = { name: 'Ropes', slug: unique('ropes'), idempotency_key: randomUUID() };
    const first = await call('create_course', args, caller);
    expect(await call('create_course', args, caller)).toEqual(first);
    const other = { ...args, name: 'Other ropes' };
    expect(await call('create_course', other, caller)).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it.each([
    [{ name: 'A'.repeat(200) }, true],
    [{ name: 'A'.repeat(201) }, false],
    [{ slug: 'Not a slug' }, false],
    [{ state: 'published' }, false],
    [{ idempotency_key: 'k'.repeat(255) }, true],
    [{ idempotency_key: 'k'.repeat(256) }, false],
  ])('accepts %j: %s', async (part, fine) => {
    const response = await call('create_course', { name: 'Ropes', slug: unique('ropes'), ...part }, WRITE);
    expect(response).toMatchObject(fine ? { dry_run: false } : { code: 'validation_failed' });
  });
});

describe('update_course', () => {
  it('changes given members, clears null members and keeps the rest', async () => {
    const { id, slug } = await newCourse(api, { subtitle: 'Long', tags: ['a'] });
    const { course } = await call<Changed>('update_course', { id, name: 'Knots', subtitle: null }, WRITE);
    expect(course).toMatchObject({ id, slug, name: 'Knots', subtitle: null, tags: ['a'] });
  });

  it('changes nothing in a dry run and refuses an archived course', async () => {
    const { id } = await newCourse(api);
    expect(await call('update_course', { id, name: 'Knots', dry_run: true }, WRITE)).toMatchObject({
      course: { name: 'Knots' },
    });
    expect((await api.send('GET', `/api/v1/courses/${id}`)).body['name']).toBe('A course');
    for (const move of ['publish', 'unpublish', 'archive']) {
      expect(await call(`${move}_course`, { id }, WRITE)).toMatchObject({ course: { id } });
    }
    expect(await call('update_course', { id, name: 'Knots' }, WRITE)).toMatchObject({ code: 'invalid_state' });
  });
});

describe('publish_course, unpublish_course and archive_course', () => {
  it('moves from state to state and names the possible moves', async () => {
    const { id } = await newCourse(api);
    expect(await call('archive_course', { id }, WRITE)).toMatchObject({
      code: 'invalid_state',
      hint: expect.stringContaining('unpublished'),
    });
    expect(await call('publish_course', { id, dry_run: true }, BOTH)).toMatchObject({
      course: { state: 'published' },
      dry_run: true,
    });
    expect(await stateOf(id)).toBe('draft');
    await call('publish_course', { id }, WRITE);
    expect(await stateOf(id)).toBe('published');
    await call('unpublish_course', { id }, WRITE);
    expect(await stateOf(id)).toBe('unpublished');
  });
});

describe('delete_course', () => {
  it('deletes a course, publishes an event and returns not_found the second time', async () => {
    const { id, slug } = await publishedCourse(api);
    expect(await call('delete_course', { id, dry_run: true }, WRITE)).toMatchObject({ course: { id }, dry_run: true });
    expect(await stateOf(id)).toBe('published');
    expect(await call('delete_course', { id }, WRITE)).toMatchObject({ course: { id, slug }, dry_run: false });
    expect(await call('browse_course', { slug })).toMatchObject({ code: 'not_found' });
    const events = await api.events.of([id], 3);
    expect(events.at(-1)).toMatchObject({
      type: 'school.course.deleted.v1',
      aggregate_version: 3,
      data: { state: 'deleted' },
    });
    expect(await call('delete_course', { id }, WRITE)).toMatchObject({ code: 'not_found' });
  });

  it('refuses to delete a course that ever had an enrollment', async () => {
    const { id, slug } = await publishedCourse(api);
    const enroll = { email: `${randomUUID()}@example.com`, course_slug: slug };
    await call('enroll_student', enroll, { scopes: ['students:write'] });
    expect(await call('delete_course', { id }, WRITE)).toMatchObject({ code: 'resource_in_use' });
    expect(await stateOf(id)).toBe('published');
  });
});
