import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf, rowsOf } from '../../test/query-plan.js';
import { courseListQuery } from './course.schema.js';
import { CourseRepository } from './course.repository.js';
import type { EditableColumns } from './course.patch.policy.js';

const [here, there] = [{ site_id: randomUUID() }, { site_id: randomUUID() }];
let database: OpenDatabase;
let courses: CourseRepository;

beforeAll(async () => {
  database = await openDatabase();
  courses = new CourseRepository(database.sql);
  await database.dataSource.query(
    `insert into courses (site_id, slug, name, state, created_at)
     select case when n % 2 = 0 then $1::uuid else $2::uuid end, 'course-' || n, md5(n::text),
            (array['draft', 'published', 'unpublished'])[1 + n % 3], now() - n * interval '1 minute'
     from generate_series(1, 6000) n`,
    [here.site_id, there.site_id],
  );
  await database.dataSource.query('analyze courses');
});
afterAll(() => database.close());

const blank: EditableColumns = {
  slug: 'new',
  name: 'New',
  subtitle: null,
  description_html: null,
  image_url: null,
  course_type: 'paid',
  featured: false,
  hidden: false,
  tags: [],
  seo_title: null,
  seo_description: null,
};

/** Rows that the plan of a page touches, and whether it sorts: neither may grow with the site. */
async function work(query: Record<string, string>): Promise<{ rows: number; sorts: boolean }> {
  const after = ['2026-11-20T08:00:00.000Z', randomUUID()] as const;
  const nodes = await planOf(database, (sql) =>
    new CourseRepository(sql).list(here, courseListQuery.parse(query), after),
  );
  return { rows: Math.max(...nodes.map(rowsOf)), sorts: nodes.some((node) => node['Node Type'].includes('Sort')) };
}

describe('a page of courses', () => {
  it.each([
    ['newest first', { sort: '-created_at' }],
    ['oldest first', { sort: 'created_at' }],
    ['of one state', { sort: '-created_at', state: 'draft' }],
    ['of a time', { sort: '-created_at', 'created_at[gte]': '2020-01-01T00:00:00Z' }],
  ])('%s reads its own rows from an index and no others', async (_what, query) => {
    const { rows, sorts } = await work(query);
    expect(rows).toBeLessThanOrEqual(21);
    expect(sorts).toBe(false);
  });

  it('is fenced by the site in every query', async () => {
    const listed = await courses.list(here, courseListQuery.parse({ limit: '100' }), undefined);
    expect(listed).toHaveLength(101);
    expect(new Set(listed.map(({ site_id }) => site_id))).toEqual(new Set([here.site_id]));
    const [foreign] = await courses.list(there, courseListQuery.parse({}), undefined);
    expect(await courses.find(here, foreign?.id ?? '')).toBeUndefined();
    expect(await courses.findBySlug(here, foreign?.slug ?? '')).toBeUndefined();
    await database.dataSource.transaction(async (tx) => {
      expect(await courses.lock(tx, here, foreign?.id ?? '')).toBeNull();
      expect(await courses.lock(tx, there, foreign?.id ?? '')).toMatchObject({ slug: foreign?.slug });
    });
  });
});

describe('a slug', () => {
  it('is one course’s of a site, also when two want it at one time', async () => {
    const tries = await Promise.all(
      [1, 2, 3].map(() => database.dataSource.transaction((tx) => courses.insert(tx, here, blank))),
    );
    expect(tries.filter((course) => course !== null)).toHaveLength(1);
    expect(await database.dataSource.transaction((tx) => courses.insert(tx, there, blank))).not.toBeNull();
  });

  it('cannot be changed to one that is taken', async () => {
    await database.dataSource
      .transaction(async (tx) => {
        const course = await courses.insert(tx, here, { ...blank, slug: 'other' });
        if (course === null) throw new Error('The slug "other" is taken');
        expect(await courses.update(tx, course, { slug: 'third' })).toMatchObject({ slug: 'third', version: 2 });
        expect(await courses.update(tx, course, { slug: 'new' })).toBeNull();
        throw new Error('undone');
      })
      .catch((error: Error) => expect(error.message).toBe('undone'));
  });
});
