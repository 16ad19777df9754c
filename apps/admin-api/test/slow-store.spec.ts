import { StoreUnavailable } from '@lyceum/storage';
import { eventually } from '@lyceum/testing';
import { FileStorage } from '#src/files/file.storage.js';
import { PageDeploymentWorker } from '#src/page-deployments/page-deployment.worker.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { INDEX, PAGES, bundle, newPage, zipOf } from './new-page.js';
import { arrived, complete, uploadPath } from './new-upload.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const codeOf = ({ status, body }: { readonly status: number; readonly body: object }) => [
  status,
  Reflect.get(body, 'code'),
];

/** Lets the store move no file until the returned function is called. */
function hold(): { readonly moves: jest.SpyInstance; readonly release: () => void } {
  const { store } = api.service.app.get(FileStorage);
  const move = store.move.bind(store);
  const { promise, resolve } = Promise.withResolvers<void>();
  const moves = jest.spyOn(store, 'move').mockImplementation(async (from, to) => {
    await promise;
    await move(from, to);
  });
  return { moves, release: resolve };
}

/** Creates pages whose deployments stay queued. Returns the paths of the promotions. */
async function queuedPromotions(count: number): Promise<string[]> {
  await api.service.app.get(PageDeploymentWorker, { strict: false }).beforeApplicationShutdown();
  const paths: string[] = [];
  while (paths.length < count) {
    const path = `${PAGES}/${(await newPage(api)).id}/deployments`;
    const file_id = await bundle(api, zipOf(INDEX));
    const { body } = await api.send('POST', path, { body: { file_id } });
    paths.push(`${path}/${String(body['id'])}/promote`);
  }
  return paths;
}

it('leaves the connections to the database to other requests', async () => {
  const count = api.config.DATABASE_POOL_SIZE + 1;
  const uploads = [];
  for (let made = 0; made < count; made += 1) uploads.push(await arrived(api));
  const { moves, release } = hold();
  const completed = Promise.all(uploads.map((upload) => complete(api, upload)));
  try {
    await eventually(
      () => moves.mock.calls.length,
      (started) => started === count,
    );
    expect((await api.send('GET', '/api/v1/courses')).status).toBe(200);
  } finally {
    release();
  }
  const states = (await completed).map(({ body }) => body['state']);
  moves.mockRestore();
  expect(states).toEqual(uploads.map(() => 'ready'));
});

it('leaves the connections to other requests also while it reads the files of promoted deployments', async () => {
  const paths = await queuedPromotions(api.config.DATABASE_POOL_SIZE + 1);
  const { store } = api.service.app.get(FileStorage);
  const read = store.read.bind(store);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const reads = jest.spyOn(store, 'read').mockImplementation(async (key) => {
    await released;
    return read(key);
  });
  const promoted = Promise.all(paths.map((path) => api.send('POST', path)));
  try {
    await eventually(
      () => reads.mock.calls.length,
      (started) => started === paths.length,
    );
    expect((await api.send('GET', '/api/v1/courses')).status).toBe(200);
  } finally {
    release();
  }
  const states = (await promoted).map(({ body }) => body['state']);
  reads.mockRestore();
  expect(states).toEqual(paths.map(() => 'live'));
});

it('moves a file once for two completions at one time', async () => {
  const upload = await arrived(api);
  const { moves, release } = hold();
  const both = [complete(api, upload), complete(api, upload)];
  await eventually(
    () => moves.mock.calls.length,
    (started) => started > 0,
  );
  release();
  const responses = await Promise.all(both);
  expect(moves).toHaveBeenCalledTimes(1);
  moves.mockRestore();
  expect(responses.map(({ status, body }) => [status, body['state']])).toEqual([
    [200, 'ready'],
    [200, 'ready'],
  ]);
});

it('refuses to complete an upload that was aborted meanwhile', async () => {
  const upload = await arrived(api);
  const { moves, release } = hold();
  const completed = complete(api, upload);
  await eventually(
    () => moves.mock.calls.length,
    (started) => started > 0,
  );
  expect((await api.send('POST', `${uploadPath(upload)}/abort`)).body).toMatchObject({ rejection: 'aborted' });
  release();
  expect(codeOf(await completed)).toEqual([409, 'invalid_state']);
  moves.mockRestore();
  expect((await api.send('GET', uploadPath(upload))).body).toMatchObject({ state: 'rejected', rejection: 'aborted' });
});

it('lets a completion follow one that the store has failed', async () => {
  const upload = await arrived(api);
  const { store } = api.service.app.get(FileStorage);
  const failing = jest.spyOn(store, 'move').mockRejectedValueOnce(new StoreUnavailable('No answer'));
  expect(codeOf(await complete(api, upload))).toEqual([503, 'temporarily_unavailable']);
  failing.mockRestore();
  expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
});
