import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from '@lyceum/platform';
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
      school: { name: 'Harbour', currency: 'TWD' },
      lecturers: [{ slug: 'mei', name: 'Mei', visible: true }],
    },
    { site_id: api.sites[1].site_id },
  ],
});

describe('apply', () => {
  it('creates declared objects and changes nothing the second time', async () => {
    await apply(declaration());
    const shown = async () => ({
      school: (await api.send('GET', '/api/v1/school')).body,
      lecturers: await get('/api/v1/lecturers'),
    });
    const first = await shown();
    expect(first).toMatchObject({ school: { name: 'Harbour' }, lecturers: [{ slug: 'mei' }] });
    await apply(declaration());
    expect(await shown()).toEqual(first);
  });

  it('sets the appearance of a site unless an operator has set one', async () => {
    const shown = async () => (await api.send('GET', '/api/v1/appearance')).body;
    const [{ site_id }] = api.sites;
    const declared = { theme: { accent_color: '#2f6b2f' } };
    await apply({ sites: [{ site_id, appearance: declared }] });
    expect(await shown()).toMatchObject(declared);
    await api.send('PATCH', '/api/v1/appearance', { body: { theme: null } });
    await apply({ sites: [{ site_id, appearance: declared }] });
    expect(await shown()).toMatchObject({ theme: { accent_color: null } });
  });

  it.each([
    ['an unknown member', { people: [] }],
    ['a course, which the operator API creates', { courses: [] }],
    ['a digital product, which the operator API creates', { digital_products: [] }],
    ['an event, which the operator API creates', { events: [] }],
    ['a page, which the operator API creates', { pages: [] }],
    ['a membership plan, which the operator API creates', { membership_plans: [] }],
  ])('refuses a declaration that names %s', async (_what, part) => {
    const refused = apply({ sites: [{ site_id: api.sites[0].site_id, ...part }] });
    const message = expect.stringMatching(new RegExp(`has errors: /sites/0/${Object.keys(part)[0]}: Unknown name`));
    await expect(refused).rejects.toMatchObject({ name: 'UsageError', message });
  });

  it.each([
    ['without a file', [], 'path'],
    ['with a missing file', [join(tmpdir(), uuidv7())], 'cannot be read'],
  ])('refuses a call %s', async (_what, args, message) => {
    const refused = applyCommand.run(api.config, args);
    await expect(refused).rejects.toMatchObject({ name: 'UsageError', message: expect.stringContaining(message) });
  });
});
