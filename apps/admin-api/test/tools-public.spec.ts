import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';
import { publishedCourse, toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
});
afterAll(() => api.stop());

describe('browse_catalog', () => {
  it('lists published courses that are not hidden to visitors, page by page', async () => {
    const mark = `Mark${randomUUID().slice(0, 8)}`;
    const shown = [
      await publishedCourse(api, { name: `${mark} b` }),
      await publishedCourse(api, { name: `${mark} a` }),
    ];
    await newCourse(api, { name: `${mark} c` });
    await publishedCourse(api, { name: `${mark} d`, hidden: true });
    const first = await call<Items>('browse_catalog', { q: mark.toLowerCase(), first: 1 });
    expect(first.items).toMatchObject([{ slug: shown[1]?.slug, name: `${mark} a` }]);
    const second = await call<Items>('browse_catalog', { q: mark.toLowerCase(), first: 1, after: first.next_cursor });
    expect(second.items).toMatchObject([{ slug: shown[0]?.slug }]);
    expect(second.next_cursor).toBeNull();
    expect((await call<Items>('browse_catalog', { q: mark }, { site: api.sites[1] })).items).toEqual([]);
    expect(first.items[0]).toEqual({
      type: 'course',
      slug: shown[1]?.slug,
      name: `${mark} a`,
      subtitle: null,
      price_from: null,
      starts_at: null,
    });
  });

  it.each([
    [{ first: 0 }, 'validation_failed'],
    [{ first: 51 }, 'validation_failed'],
    [{ limit: 5 }, 'validation_failed'],
    [{ after: 'forged' }, 'invalid_cursor'],
  ])('refuses %j with %s, so that a model can repair it', async (args, code) => {
    expect(await call('browse_catalog', args)).toMatchObject({ ok: false, code });
  });

  it('accepts pages of 1 to 50', async () => {
    for (const first of [1, 50]) expect(await call('browse_catalog', { first })).toHaveProperty('items');
  });
});

describe('browse_course', () => {
  it('reads published courses, hidden ones too, and no others', async () => {
    const [published, hidden, draft] = [
      await publishedCourse(api, { description_html: '<p>Hi</p>' }),
      await publishedCourse(api, { hidden: true }),
      await newCourse(api),
    ];
    expect(await call('browse_course', { slug: published.slug })).toMatchObject({
      slug: published.slug,
      description_html: '<p>Hi</p>',
      description_truncated: false,
    });
    expect(await call('browse_course', { slug: hidden.slug })).toMatchObject({ slug: hidden.slug });
    for (const slug of [draft.slug, 'no-such-course']) {
      expect(await call('browse_course', { slug })).toMatchObject({ ok: false, code: 'not_found' });
    }
    expect(await call('browse_course', { slug: published.slug }, { site: api.sites[1] })).toMatchObject({
      code: 'not_found',
    });
  });

  it('stays below 60 KB for any description', async () => {
    const { slug } = await publishedCourse(api, { description_html: `<p>${'課'.repeat(99_000)}</p>` });
    const result = await call<Record<string, unknown>>('browse_course', { slug });
    expect(result['description_truncated']).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(60_000);
  });
});
