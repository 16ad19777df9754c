import { PageDeploymentQueue } from '#src/page-deployments/page-deployment.queue.js';
import { PageDeploymentWorker } from '#src/page-deployments/page-deployment.worker.js';
import { FILE_JOB_LIMITS } from '#src/file-jobs/file-job.policy.js';
import type { RunningService } from '@lyceum/platform';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { INDEX, PAGES, bundle, newPage, zipOf } from './new-page.js';
import type { Files } from './new-page.js';

let api: TestApi;
let workers: readonly PageDeploymentWorker[];

/** The worker of a replica, which runs by hand. */
async function workerOf(service: RunningService): Promise<PageDeploymentWorker> {
  const worker = service.app.get(PageDeploymentWorker, { strict: false });
  await worker.beforeApplicationShutdown();
  return worker;
}

beforeAll(async () => {
  api = await startAdminApi();
  workers = [await workerOf(api.service), await workerOf(await api.replica())];
});
afterAll(() => api.stop());

interface Deployment extends Record<string, unknown> {
  readonly id: string;
}

async function deploy(page: string, files: Files = INDEX): Promise<Deployment> {
  const file_id = await bundle(api, zipOf(files));
  const { status, body } = await api.send<Deployment>('POST', `${PAGES}/${page}/deployments`, { body: { file_id } });
  expect([status, body['state']]).toEqual([201, 'queued']);
  return body;
}
const read = async (page: string, { id }: Deployment) =>
  (await api.send<Deployment>('GET', `${PAGES}/${page}/deployments/${id}`)).body;
const promote = (page: string, { id }: Deployment) => api.send('POST', `${PAGES}/${page}/deployments/${id}/promote`);
const work = async (): Promise<void> => {
  while ((await Promise.all(workers.map((worker) => worker.turn()))).includes(true));
};
const query = (text: string, values: unknown[]) =>
  withDatabase(api.databaseUrl, (client) => client.query(text, values));
/** Lets the lease of a deployment end, and the pause before its next attempt. */
const comes = ({ id }: Deployment) =>
  query(`update page_deployments set due_at = now() - interval '1 second' where id = $1`, [id]);
const events = async (page: string, count: number) =>
  (await api.events.of([page], count)).map(({ type }) => type.split('.')[2]);

it('unpacks each queued deployment once with two replicas, and counts its bytes once', async () => {
  const used = 'select coalesce(sum(bytes), 0)::int as bytes from file_usage where site_id = $1';
  const site = [api.sites[0].site_id];
  const { id } = await newPage(api);
  const queued = [];
  for (let count = 0; count < 6; count += 1) queued.push(await deploy(id));
  const { rows: before } = await query(used, site);
  await work();
  for (const one of queued) expect(await read(id, one)).toMatchObject({ state: 'ready', files_count: 1 });
  const { rows: after } = await query(used, site);
  expect(after[0].bytes - before[0].bytes).toBe(queued.length * INDEX['index.html'].length);
  const names = await events(id, 1 + 2 * queued.length);
  expect(names.filter((name) => name === 'deployment_ready')).toHaveLength(queued.length);
});

it('keeps the entity tag of the page, whose editor goes on', async () => {
  const { id } = await newPage(api);
  const shown = () => api.send('GET', `${PAGES}/${id}`);
  const { headers, body } = await shown();
  await deploy(id);
  await work();
  expect(await events(id, 3)).toEqual(['created', 'deployed', 'deployment_ready']);
  const after = await shown();
  expect([after.headers['etag'], after.body]).toEqual([headers['etag'], body]);
  const edit = (title: string) =>
    api.send('PATCH', `${PAGES}/${id}`, { headers: { 'if-match': headers['etag'] ?? '' }, body: { title } });
  expect((await edit('Another title')).status).toBe(200);
  expect((await edit('A third title')).status).toBe(412);
});

it('goes on with the deployment of a worker that died', async () => {
  const { id } = await newPage(api);
  const one = await deploy(id);
  await api.service.app.get(PageDeploymentQueue, { strict: false }).claim();
  await work();
  expect(await read(id, one)).toMatchObject({ state: 'queued' });
  await comes(one);
  await work();
  expect(await read(id, one)).toMatchObject({ state: 'ready' });
});

it('promotes a queued deployment at once, which its job leaves live', async () => {
  const { id } = await newPage(api);
  const one = await deploy(id);
  expect((await promote(id, one)).body).toMatchObject({ state: 'live', files_count: 1, bytes: 14 });
  await work();
  expect(await read(id, one)).toMatchObject({ state: 'live', files_count: 1 });
  expect(await events(id, 3)).toEqual(['created', 'deployed', 'promoted']);
});

it('refuses to promote a queued deployment whose zip file is unusable, and leaves its faults to the job', async () => {
  const { id } = await newPage(api);
  const one = await deploy(id, { 'index.htm': 'A' });
  expect(await promote(id, one)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  expect(await read(id, one)).toMatchObject({ state: 'queued', faults: [] });
  await work();
  expect(await read(id, one)).toMatchObject({ state: 'failed', faults: [{ code: 'index_missing', path: null }] });
});

it('fails when the upload is gone, and ends with its page', async () => {
  const [page, gone] = [await newPage(api), await newPage(api)];
  const [one, other] = [await deploy(page.id), await deploy(gone.id)];
  await query('update page_deployments set file_id = null where id = $1', [one.id]);
  expect((await api.send('DELETE', `${PAGES}/${gone.id}`)).status).toBe(204);
  await work();
  expect(await read(page.id, one)).toMatchObject({ state: 'failed', faults: [{ code: 'upload_missing' }] });
  expect((await query('select 1 from page_deployments where id = $1', [other.id])).rowCount).toBe(0);
});

it('fails for good after the last attempt', async () => {
  const { id } = await newPage(api);
  const one = await deploy(id);
  await query('update page_deployments set attempts = $2 where id = $1', [one.id, FILE_JOB_LIMITS.attempts]);
  await work();
  expect(await read(id, one)).toMatchObject({ state: 'failed', faults: [{ code: 'internal', path: null }] });
});
