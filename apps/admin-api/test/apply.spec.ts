import { applyCommand } from '#src/seed/apply.command.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { declare } from './declare.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const apply = (declaration: unknown): Promise<void> => declare(api, declaration);

const get = async (path: string) => (await api.send<{ data: Record<string, unknown>[] }>('GET', path)).body.data;

const declaration = () => ({
  sites: [
    {
      site_id: api.sites[0].site_id,
      courses: [
        { slug: 'watercolour', name: 'Watercolour', subtitle: 'Light and water', state: 'published' },
        { slug: 'oil', name: 'Oil', state: 'draft' },
      ],
      students: [{ email: 'Mei@example.com', name: 'Mei', enrollments: ['watercolour', 'oil'] }],
    },
    { site_id: api.sites[1].site_id },
  ],
});

describe('apply', () => {
  it('makes what is declared, and changes nothing the second time', async () => {
    await apply(declaration());
    const courses = await get('/api/v1/courses?sort=name');
    expect(courses).toMatchObject([
      { slug: 'oil', state: 'draft', enrollments_count: 1 },
      { slug: 'watercolour', state: 'published', subtitle: 'Light and water', enrollments_count: 1 },
    ]);
    expect(await get('/api/v1/students')).toMatchObject([{ email: 'mei@example.com', enrollments_count: 2 }]);
    await apply(declaration());
    expect(await get('/api/v1/courses?sort=name')).toEqual(courses);
  });

  it('leaves alone what an operator has done since', async () => {
    await apply(declaration());
    const [student] = await get('/api/v1/students');
    const path = `/api/v1/students/${String(student?.['id'])}/enrollments`;
    const [enrollment] = await get(path);
    await api.send('POST', `${path}/${String(enrollment?.['id'])}/revoke`);
    const [course] = await get('/api/v1/courses?q=watercolour');
    await api.send('PATCH', `/api/v1/courses/${String(course?.['id'])}`, { body: { name: 'Aquarelle' } });
    await apply(declaration());
    expect(await get(`${path}?state=revoked`)).toHaveLength(1);
    expect(await get('/api/v1/courses?q=watercolour')).toMatchObject([{ name: 'Aquarelle' }]);
  });

  it.each([
    [
      'a course that is not there',
      { students: [{ email: 'lin@example.com', name: 'Lin', enrollments: ['none'] }] },
      /no course "none"/,
    ],
    ['a member that is not known', { people: [] }, /unrecognized/i],
  ])('says that it names %s', async (_what, part, message) => {
    await expect(apply({ sites: [{ site_id: api.sites[0].site_id, ...part }] })).rejects.toThrow(message);
  });

  it('wants a file', async () => {
    await expect(applyCommand.run(api.config, [])).rejects.toThrow('path');
  });
});
