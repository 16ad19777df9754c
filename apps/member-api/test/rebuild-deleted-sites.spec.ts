import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { memberApi } from '#src/member-api.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startMemberApi();
});
afterAll(() => api.stop());

/** Rebuilds a read model, and returns the lines that the command prints. */
async function rebuilt(name: string): Promise<unknown[]> {
  const print = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await memberApi.commands?.['rebuild']?.run(api.config, [name]);
    return print.mock.calls.map(([line]) => JSON.parse(String(line)));
  } finally {
    print.mockRestore();
  }
}

it('leaves out the events of a deleted site, and prints the site', async () => {
  const database = await api.connect();
  const sites = async (): Promise<string[]> => {
    const { rows } = await database.query<{ site_id: string }>('select site_id from courses');
    return rows.map(({ site_id }) => site_id);
  };
  const [{ site_id }] = api.sites;
  const deleted = uuidv7();
  await api.world.course({ site_id: deleted, slug: 'knots' });
  await api.world.course({ site_id, slug: 'knots' });
  await eventually(async () => (await sites()).length === 2);
  await database.query('insert into site_erasures (site_id, next_at) values ($1, null)', [deleted]);
  const [courses, enrollments] = await rebuilt('enrolled-courses');
  expect(await sites()).toEqual([site_id]);
  expect(courses).toMatchObject({ table: 'courses', events: 2, removed: 1, deleted_sites: [deleted] });
  expect(enrollments).not.toHaveProperty('deleted_sites');
});

it('prints no site for the event of its deletion', async () => {
  const site_id = uuidv7();
  const database = await api.connect();
  const site = { site_id, base_url: 'https://old.example', host: 'old.example', name: 'Old', slug: 'old' };
  await api.world.site({ ...site, org_id: uuidv7(), state: 'suspended' }, { name: 'deleted' });
  const erasure = 'select from site_erasures where site_id = $1';
  await eventually(async () => (await database.query(erasure, [site_id])).rowCount === 1);
  const [sites] = await rebuilt('schools');
  expect(sites).toMatchObject({ table: 'sites', events: 1 });
  expect(sites).not.toHaveProperty('deleted_sites');
});
