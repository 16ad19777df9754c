import { randomUUID } from 'node:crypto';
import { access, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { FileChecks } from '#src/files/file.checks.js';
import { FileStorage } from '#src/files/file.storage.js';
import { FileSweep } from '#src/files/file.sweep.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { announced, arrived, complete, CSV, follow, uploadPath } from './new-upload.js';

let api: TestApi;
let database: pg.Client;
beforeAll(async () => {
  api = await startAdminApi();
  database = new pg.Client(api.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await api.stop();
});

const sweep = (): Promise<void> => api.service.app.get(FileSweep, { strict: false }).run();
/** The number of deletions since the start, by result. */
const deletions = async (): Promise<Record<string, number>> => {
  const text = await (await fetch(`${api.service.managementUrl}/metrics`)).text();
  const samples = text.matchAll(/^file_deletions_total\{result="(\w+)"[^}]*\} (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, result = '', count]) => [result, Number(count)]));
};
const age = (id: string, column: string) =>
  database.query(`update files set ${column} = now() - interval '1 second' where id = $1`, [id]);

it('counts no deletion before the first one', async () => {
  expect(await deletions()).toEqual({ deleted: 0, failed: 0 });
});

it('deletes files whose time is over, with their bytes and their part of the quota', async () => {
  const { store } = api.service.app.get(FileStorage);
  const [pending, kept] = [await arrived(api), await arrived(api)];
  const ready = await arrived(api);
  const { url } = (await complete(api, ready)).body;
  await age(pending.id, 'sweep_at');
  await age(ready.id, 'sweep_at');
  const used = 'select bytes::int, open_uploads from file_usage where site_id = $1';
  const [before] = (await database.query(used, [api.sites[0].site_id])).rows as [
    { bytes: number; open_uploads: number },
  ];
  await sweep();
  const [after] = (await database.query(used, [api.sites[0].site_id])).rows;
  expect(after).toEqual({ bytes: before.bytes - 2 * CSV.length, open_uploads: before.open_uploads - 1 });
  for (const { id } of [pending, ready]) {
    expect((await api.send('GET', uploadPath({ id }))).status).toBe(404);
    expect((await api.events.of([id], 2)).at(-1)?.type).toMatch(/deleted|ready/);
  }
  expect((await follow(api, 'GET', String(url))).status).toBe(404);
  expect(await store.head(`uploads/${api.sites[0].site_id}/${pending.id}`)).toBeUndefined();
  expect((await complete(api, kept)).body).toMatchObject({ state: 'ready' });
});

it('lets uploads of the site begin while the store is slow', async () => {
  const { store } = api.service.app.get(FileStorage);
  const slow = await arrived(api);
  await age(slow.id, 'sweep_at');
  const remove = store.delete.bind(store);
  const deleting = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const spy = jest.spyOn(store, 'delete').mockImplementation(async (key) => {
    deleting.resolve();
    await end.promise;
    await remove(key);
  });
  const swept = sweep();
  try {
    await deleting.promise;
    await arrived(api);
    expect((await api.send('GET', uploadPath(slow))).body).toMatchObject({ state: 'rejected', rejection: 'aborted' });
  } finally {
    end.resolve();
    await swept;
    spy.mockRestore();
  }
  expect((await api.send('GET', uploadPath(slow))).status).toBe(404);
});

it('deletes the other files while the bytes of one cannot be deleted, and that one later', async () => {
  const { store } = api.service.app.get(FileStorage);
  const [stuck, other] = [await arrived(api), await arrived(api)];
  await age(stuck.id, 'sweep_at');
  await age(other.id, 'sweep_at');
  const { deleted = 0 } = await deletions();
  const remove = store.delete.bind(store);
  const failing = jest.spyOn(store, 'delete').mockImplementation(async (key) => {
    if (key.includes(stuck.id)) throw new Error('Access denied');
    await remove(key);
  });
  try {
    await sweep();
  } finally {
    failing.mockRestore();
  }
  expect((await api.send('GET', uploadPath(other))).status).toBe(404);
  expect((await api.send('GET', uploadPath(stuck))).status).toBe(200);
  expect(await deletions()).toEqual({ deleted: deleted + 1, failed: 1 });
  await sweep();
  expect((await api.send('GET', uploadPath(stuck))).status).toBe(200);
  await age(stuck.id, 'sweep_at');
  await sweep();
  expect((await api.send('GET', uploadPath(stuck))).status).toBe(404);
  expect(await store.head(`uploads/${api.sites[0].site_id}/${stuck.id}`)).toBeUndefined();
});

it('deletes uploads that no file has, and incomplete ones', async () => {
  const { store } = api.service.app.get(FileStorage);
  const [old, young] = [`uploads/${randomUUID()}`, `uploads/${randomUUID()}`];
  const { bytes, sha256 } = announced(CSV) as { bytes: number; sha256: string };
  for (const key of [old, young]) {
    await store.put(key, Readable.from([CSV]), { bytes, sha256, content_type: 'text/csv' });
  }
  const yesterday = Date.now() / 1_000 - 86_401;
  await utimes(join(api.config.FILES_DIRECTORY, old), yesterday, yesterday);
  const incomplete = join(api.config.FILES_DIRECTORY, '.incoming', randomUUID());
  await writeFile(incomplete, CSV);
  await utimes(incomplete, yesterday, yesterday);
  await api.service.app.get(FileChecks, { strict: false }).discardForgotten();
  expect([await store.head(old), await store.head(young)]).toEqual([undefined, { bytes }]);
  await expect(access(incomplete)).rejects.toThrow('ENOENT');
});

it('checks large files after their upload', async () => {
  const content = `${'x'.repeat(1024)}\n`.repeat(33 * 1024);
  const upload = await arrived(api, content, { purpose: 'attachment', content_type: 'text/plain' });
  expect((await complete(api, upload)).body).toMatchObject({ state: 'uploaded', url: null });
  await sweep();
  expect((await api.send('GET', uploadPath(upload))).body).toMatchObject({ state: 'ready', url: expect.any(String) });
});
