import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import { statementsOf } from './statements.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const PATH = '/api/v1/courses/bulk';

interface Results {
  readonly all_succeeded: boolean;
  readonly results: readonly {
    readonly status: number;
    readonly id: string | null;
    readonly errors: readonly { readonly pointer: string; readonly code: string; readonly id?: string }[];
  }[];
}

const change = (items: readonly object[], more: object = {}, request: object = {}) =>
  api.send<Results>('PATCH', PATH, { body: { items, ...more }, ...request });
const read = async (id: string) => (await api.send('GET', `/api/v1/courses/${id}`)).body;
const outcomes = ({ results }: Results): unknown[] =>
  results.map(({ status, errors }) => [status, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)]);

describe('a bulk update of courses', () => {
  it('changes the fields that each item names, and publishes and logs one event for each course', async () => {
    const [one, two] = [await newCourse(api, { subtitle: 'Old' }), await newCourse(api, { subtitle: 'Old' })];
    const { status, body } = await change([
      { id: one.id, featured: true, tags: ['a'] },
      { id: two.id, subtitle: null },
    ]);
    expect([status, body.all_succeeded, outcomes(body)]).toEqual([200, true, [[200], [200]]]);
    expect(await read(one.id)).toMatchObject({ featured: true, tags: ['a'], subtitle: 'Old' });
    expect(await read(two.id)).toMatchObject({ featured: false, subtitle: null });
    const events = await api.events.of([one.id, two.id], 4);
    expect(
      events.filter(({ type }) => type === 'school.course.updated.v1').map(({ aggregate_id }) => aggregate_id),
    ).toEqual([one.id, two.id]);
    const { body: log } = await api.send<{ data: object[] }>('GET', `/api/v1/activity?object_id=${one.id}`);
    expect(log.data[0]).toMatchObject({ action: 'course.updated', changed_fields: ['featured', 'tags'] });
  });

  it('returns the errors of each item, and changes the others', async () => {
    const [one, two] = [await newCourse(api), await newCourse(api)];
    const { body } = await change([
      { id: one.id, name: 'Renamed' },
      { id: randomUUID(), name: 'None' },
      { id: two.id, slug: one.slug },
      { id: two.id, state: 'published' },
      { id: two.id, name: 'Stale', if_match: '"0"' },
      { name: 'Without an id' },
    ]);
    expect(outcomes(body)).toEqual([
      [200],
      [404, '/items/1 not_found'],
      [409, '/items/2/slug already_exists'],
      [422, '/items/3/state unknown_member'],
      [412, '/items/4 precondition_failed'],
      [422, '/items/5/id required'],
    ]);
    expect([(await read(one.id))['name'], body.all_succeeded]).toEqual(['Renamed', false]);
  });

  it('sends as many statements for 100 courses as for two', async () => {
    const lecturer = await api.send('POST', '/api/v1/lecturers', { body: { name: 'Mei', slug: unique('lecturer') } });
    const sent = async (count: number): Promise<number> => {
      const named = Array.from({ length: count }, () => ({ name: 'A course', slug: unique('course') }));
      const made = await api.send<Results>('POST', PATH, { body: { items: named } });
      const lecturer_ids = [lecturer.body['id']];
      const changed = { lecturer_ids, description_html: '<p>Set</p>' };
      const items = made.body.results.map(({ id }) => ({ id, slug: unique('set'), ...changed }));
      const statements = await statementsOf(api, 'course_lecturers_add', async () => {
        const { body } = await change(items);
        expect(body.all_succeeded).toBe(true);
      });
      return statements.length;
    };
    const two = await sent(2);
    expect(two).toBeGreaterThan(0);
    expect(await sent(100)).toBe(two);
  });

  it('writes each kind of field of several courses, and null', async () => {
    const seo = { title: 'Title', description: null };
    const [one, two] = [await newCourse(api, { seo, external_id: unique('key') }), await newCourse(api, { seo })];
    const { body } = await change([
      { id: one.id, seo: null, external_id: null, metadata: { a: 'b' }, tags: ['x', 'y'] },
      { id: two.id, hidden: true, subtitle: 'Line', seo: { description: 'Text' } },
    ]);
    expect(outcomes(body)).toEqual([[200], [200]]);
    expect(await read(one.id)).toMatchObject({
      seo: { title: null, description: null },
      external_id: null,
      metadata: { a: 'b' },
      tags: ['x', 'y'],
      hidden: false,
    });
    expect(await read(two.id)).toMatchObject({
      hidden: true,
      subtitle: 'Line',
      seo: { title: 'Title', description: 'Text' },
      metadata: {},
    });
  });

  it('changes courses in the order of the items, also where one takes what another leaves', async () => {
    const [one, two] = [await newCourse(api), await newCourse(api)];
    const [first, second] = [String(one.slug), String(two.slug)];
    const { body } = await change([
      { id: one.id, slug: second },
      { id: one.id, slug: unique('free') },
      { id: two.id, slug: first },
      { id: one.id, slug: second },
    ]);
    expect(outcomes(body)).toEqual([[409, '/items/0/slug already_exists'], [200], [200], [200]]);
    expect([(await read(one.id))['slug'], (await read(two.id))['slug']]).toEqual([second, first]);
    const versions = (await api.events.of([one.id], 3)).map(({ aggregate_version }) => aggregate_version);
    expect(versions).toEqual([1, 2, 3]);
  });

  it('gives the first item a value that two items want, and names it to the other', async () => {
    const [one, two, three] = [await newCourse(api), await newCourse(api), await newCourse(api)];
    const slug = unique('wanted');
    const { body } = await change(
      [one, two, three].map(({ id }, index) => ({ id, slug: index < 2 ? slug : unique('x') })),
    );
    expect(outcomes(body)).toEqual([[200], [409, '/items/1/slug already_exists'], [200]]);
    expect(body.results[1]?.errors[0]?.id).toBe(one.id);
  });

  it('keeps the lists of a course whose item names an unknown lecturer or file', async () => {
    const lecturer = await api.send('POST', '/api/v1/lecturers', { body: { name: 'Mei', slug: unique('lecturer') } });
    const lecturer_ids = [lecturer.body['id']];
    const courses = [
      await newCourse(api, { lecturer_ids }),
      await newCourse(api, { lecturer_ids }),
      await newCourse(api),
    ];
    const [one, two, three] = courses.map(({ id }) => id);
    const { body } = await change([
      { id: one, lecturer_ids: [], name: 'Without' },
      { id: two, lecturer_ids: [randomUUID()], name: 'Unknown' },
      { id: three, image_file_id: randomUUID(), name: 'Unknown' },
    ]);
    expect(outcomes(body)).toEqual([
      [200],
      [422, '/items/1/lecturer_ids not_found'],
      [422, '/items/2/image_file_id not_found'],
    ]);
    expect(await read(String(one))).toMatchObject({ lecturer_ids: [], name: 'Without' });
    expect(await read(String(two))).toMatchObject({ lecturer_ids, name: 'A course' });
  });

  it('changes all courses or none with atomic', async () => {
    const { id } = await newCourse(api);
    const { body } = await change([{ id, name: 'Renamed' }, { id: randomUUID() }], { atomic: true });
    expect(outcomes(body)).toEqual([[424], [404, '/items/1 not_found']]);
    expect((await read(id))['name']).not.toBe('Renamed');
  });

  it('takes the entity tag of an item', async () => {
    const { id } = await newCourse(api);
    const { headers } = await api.send('GET', `/api/v1/courses/${id}`);
    const { body } = await change([{ id, name: 'Renamed', if_match: headers['etag'] }]);
    expect(outcomes(body)).toEqual([[200]]);
  });

  it('changes nothing in a dry run, and repeats the response of a key', async () => {
    const { id } = await newCourse(api);
    const dry = await api.send<Results>('PATCH', `${PATH}?dry_run=true`, { body: { items: [{ id, name: 'Dry' }] } });
    expect([dry.status, dry.body.results]).toEqual([200, [{ index: 0, status: 200, id, errors: [] }]]);
    expect((await read(id))['name']).not.toBe('Dry');
    const headers = { 'idempotency-key': unique('key') };
    const first = await change([{ id, name: 'Keyed' }], {}, { headers });
    await change([{ id, name: 'Later' }]);
    const again = await change([{ id, name: 'Keyed' }], {}, { headers });
    expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', first.text]);
    expect((await read(id))['name']).toBe('Later');
  });

  it('accepts 200 items and refuses 201 and none', async () => {
    const { id } = await newCourse(api);
    const items = (count: number) => Array.from({ length: count }, () => ({ id, featured: true }));
    expect((await change(items(200))).body.all_succeeded).toBe(true);
    expect((await change(items(201))).status).toBe(422);
    expect((await change([])).status).toBe(422);
  });

  it('finds no courses of another site, and needs the scope for writes', async () => {
    const { id } = await newCourse(api);
    const { body } = await change([{ id, name: 'Mine' }], {}, { site: api.sites[1] });
    expect(outcomes(body)).toEqual([[404, '/items/0 not_found']]);
    const { status } = await change([{ id, name: 'Read' }], {}, { token: await api.token('courses:read') });
    expect(status).toBe(403);
  });
});
