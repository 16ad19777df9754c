import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RateLimiter } from '@lyceum/rate-limit';
import pg from 'pg';
import { REJECTIONS } from '#src/files/file.policy.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { MARKER, hostileFiles } from './hostile-files.js';
import type { HostileFile } from './hostile-files.js';
import { announced, bytesAt, complete, put } from './new-upload.js';
import type { Upload } from './new-upload.js';

const { LYCEUM_HOSTILE_SEED, LYCEUM_HOSTILE_FILES } = process.env;
/** The same files at each commit. `npm run test:long -- hostile-files` sends those of other seeds. */
const SEED = Number(LYCEUM_HOSTILE_SEED ?? 165);
const COUNT = Number(LYCEUM_HOSTILE_FILES ?? 228);
const PARALLEL = 4;
/** Growth in bytes of the memory in use, from a quarter of the files to the last. */
const MOST_GROWTH = 40 * 1024 * 1024;
const SHOWN = /^image\/(?:png|jpeg|gif|webp)$/;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let api: TestApi;
let database: pg.Client;
beforeAll(async () => {
  api = await startAdminApi();
  database = new pg.Client(api.databaseUrl);
  await database.connect();
  // The suite sends more than one person may.
  const limiter = api.service.app.get(RateLimiter, { strict: false });
  const take = limiter.take.bind(limiter);
  limiter.take = (limit, subject, cost) => take({ ...limit, hits: 1e9, unshared: 1e9 }, subject, cost);
});
afterAll(async () => {
  await database?.end();
  await api?.stop();
});

/** No response with the bytes of a file has its payload, or is anything but an image. */
async function expectNothingShown(id: string): Promise<void> {
  const url = `${api.sites[0].base_url}/files/public/${id}`;
  const sized = await bytesAt(api, `${url}?w=64`);
  const name = sized.headers['location'];
  const paths = [url, ...(name === undefined ? [] : [new URL(name, url).href])];
  for (const { status, headers, bytes } of [sized, ...(await Promise.all(paths.map((path) => bytesAt(api, path))))]) {
    expect([200, 302, 404]).toContain(status);
    expect(bytes.includes(MARKER)).toBe(false);
    if (status !== 200) continue;
    expect(headers['content-type']).toMatch(SHOWN);
    expect([headers['x-content-type-options'], headers['content-security-policy']]).toEqual([
      'nosniff',
      expect.stringContaining('sandbox'),
    ]);
  }
}

/** Uploads a file, completes it, and makes it public as far as the service lets it. */
async function fateOf({ announced: more, content }: HostileFile): Promise<string> {
  const started = await api.send<Upload>('POST', '/api/v1/uploads', { body: announced(content, more) });
  if (started.status !== 201) {
    expect([400, 422]).toContain(started.status);
    return 'refused';
  }
  const { id } = started.body;
  expect((await put(api, started.body, content)).status).toBe(200);
  const { status, body } = await complete(api, { id });
  expect(status).toBe(200);
  // As if an object used the file. The database refuses it for a file that is not ready.
  await database.query(`update files set uses = 1, sweep_at = null where id = $1 and state = 'ready'`, [id]);
  await expectNothingShown(id);
  if (body['state'] === 'rejected') {
    expect([REJECTIONS.includes(body['rejection'] as 'aborted'), body['url']]).toEqual([true, null]);
    return 'rejected';
  }
  expect(body['state']).toBe('ready');
  // Its uploader gets the file as it is, which no browser runs.
  const { headers } = await bytesAt(api, String(body['url']));
  const kind = more.purpose === 'attachment' ? 'attachment;' : 'inline;';
  expect(headers['content-disposition']).toMatch(new RegExp(`^${kind}`));
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  });
  return 'harmless';
}

it(`serves no payload of ${COUNT} hostile files, goes on, and keeps its memory`, async () => {
  const files = await hostileFiles(SEED, COUNT);
  const fates = new Map<string, number>();
  const send = async (list: readonly HostileFile[]): Promise<void> => {
    const queue = list.values();
    const worker = async (): Promise<void> => {
      for (const file of queue) {
        const fate = await fateOf(file).catch((error: unknown) => {
          throw new Error(`Seed ${SEED}, ${file.what}: ${String(error)}`, { cause: error });
        });
        const wanted = file.fate === 'harmless' ? ['harmless', 'rejected'] : [file.fate];
        expect([file.what, wanted]).toEqual([file.what, expect.arrayContaining([fate])]);
        fates.set(fate, (fates.get(fate) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  };
  const first = Math.ceil(COUNT / 4);
  await send(files.slice(0, first));
  const before = memoryInUse();
  await send(files.slice(first));
  expect(memoryInUse() - before).toBeLessThan(MOST_GROWTH);
  expect([...fates.values()].reduce((sum, count) => sum + count, 0)).toBe(COUNT);
  for (const fate of ['refused', 'rejected', 'harmless']) expect(fates.get(fate)).toBeGreaterThan(COUNT / 20);
  expect((await api.send('GET', '/api/v1/courses')).status).toBe(200);
});
