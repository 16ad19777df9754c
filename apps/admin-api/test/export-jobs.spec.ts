import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_JOB_LIMITS } from '#src/file-jobs/file-job.policy.js';
import { ExportFiles } from '#src/exports/export.files.js';
import { EXPORT_LIMITS } from '#src/exports/export.policy.js';
import type { ExportedRows } from '#src/exports/export.source.js';
import { ExportSources } from '#src/exports/export.sources.js';
import { ExportQueue } from '#src/exports/export.queue.js';
import { ExportSteps } from '#src/exports/export.steps.js';
import { ExportSweep } from '#src/exports/export.sweep.js';
import type { TestSite } from '@lyceum/testing';
import { TestExports, pathOf } from './test-exports.js';
import type { Json } from './test-exports.js';

/** Attempts before the last one. */
const LAST = FILE_JOB_LIMITS.attempts - 1;

const { rowsOfPart, rowsOfStatement } = EXPORT_LIMITS;
/** More than fit into two parts of a file, of which the first begins with a small statement. */
const CROWD = rowsOfStatement + 2 * rowsOfPart + 50;

let crowded: TestSite;
let exports: TestExports;
beforeAll(async () => {
  exports = await TestExports.open();
  [, crowded] = exports.api.sites;
  await exports.database.query(
    `insert into students (site_id, email, name) select $1, n || '@example.com', 'Student ' || n from generate_series(1, $2::int) n`,
    [crowded.site_id, CROWD],
  );
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => exports.close());

it('stops a canceled export, and refuses to cancel one that has ended', async () => {
  const one = await exports.start({ collection: 'students', format: 'csv' });
  const cancel = () => exports.api.send('POST', `${pathOf(one)}/cancel`);
  expect((await cancel()).body).toMatchObject({ state: 'canceled' });
  expect((await cancel()).status).toBe(200);
  await exports.work();
  expect(await exports.read(one)).toMatchObject({ state: 'canceled', rows_count: 0 });
  const other = await exports.start({ collection: 'students', format: 'csv' });
  await exports.work();
  const { status, body } = await exports.api.send('POST', `${pathOf(other)}/cancel`);
  expect([status, body['code']]).toEqual([409, 'invalid_state']);
});

it('stores some parts in one run', async () => {
  jest.replaceProperty(EXPORT_LIMITS, 'msOfRun', Infinity);
  const one = await exports.start({ collection: 'students', format: 'csv' }, crowded);
  await exports.worker.turn();
  expect(await exports.read(one, crowded)).toMatchObject({ state: 'running', rows_count: CROWD });
  expect(await exports.filesOf(one, crowded)).toHaveLength(3);
  await exports.work();
  const [names, ...lines] = (await exports.fileOf(one, crowded)).trimEnd().split('\r\n');
  expect(names).toMatch(/^id,/);
  const ids = lines.map((line) => line.slice(0, line.indexOf(',')));
  expect([ids.length, ids]).toEqual([CROWD, ids.toSorted((one, other) => (one < other ? -1 : 1))]);
});

describe('an export', () => {
  beforeEach(() => void jest.replaceProperty(EXPORT_LIMITS, 'msOfRun', Infinity));

  async function rowsOfStatements(body: object, site?: TestSite): Promise<number[]> {
    const read = jest.spyOn(exports.get(ExportSources), 'read');
    const one = await exports.start({ collection: 'students', ...body }, site);
    await exports.work();
    expect(await exports.read(one, site)).toMatchObject({ state: 'ready' });
    const pages = await Promise.all(read.mock.results.map(({ value }) => value as Promise<ExportedRows>));
    return pages.map(({ lines = [] }) => lines.length);
  }

  it('reads 2,000 short rows with a statement after the first one', async () => {
    expect(await rowsOfStatements({ format: 'csv' }, crowded)).toEqual([200, 2_000, 2_000, 50]);
  });

  it.each(['csv', 'jsonl'])('reads 50 rows with the longest metadata after the first statement: %s', async (format) => {
    await exports.database.query(
      `insert into students (site_id, email, name, metadata)
       select $1, $2 || n || '@example.com', $2,
         (select jsonb_object_agg('key' || k, repeat('學', 540)) from generate_series(1, 50) k)
       from generate_series(1, 310) n`,
      [exports.api.sites[0].site_id, `Long-${format}`],
    );
    expect(await rowsOfStatements({ format, filters: { q: `Long-${format}` } })).toEqual([200, 50, 50, 10]);
  });
});

describe('an export whose runs read one statement', () => {
  beforeEach(() => void jest.replaceProperty(EXPORT_LIMITS, 'msOfRun', 0));

  it('contains each row once when a worker dies and another one takes its job', async () => {
    const one = await exports.start({ collection: 'students', format: 'jsonl' }, crowded);
    await exports.worker.turn();
    expect(await exports.read(one, crowded)).toMatchObject({ state: 'running', rows_count: rowsOfStatement });
    const [job] = await exports.get(ExportQueue).claim();
    if (job === undefined) throw new Error('No job is due');
    await exports.database.query(`update exports set due_at = now() - interval '1 second' where id = $1`, [one['id']]);
    await exports.worker.turn();
    // The first worker was only slow.
    const late = exports
      .get(ExportSteps)
      .addParts(job, AbortSignal.timeout(60_000), (tx) => exports.get(ExportQueue).again(job, tx));
    await expect(late).rejects.toThrow('lease');
    expect(await exports.filesOf(one, crowded)).toHaveLength(2);
    await exports.work();
    const lines = (await exports.fileOf(one, crowded))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(lines).toHaveLength(CROWD);
    expect(new Set(lines.map(({ email }) => email)).size).toBe(CROWD);
    expect(await exports.filesOf(one, crowded)).toHaveLength(1);
  });

  it('stops between two runs when it is canceled', async () => {
    const one = await exports.start({ collection: 'students', format: 'csv' }, crowded);
    await exports.worker.turn();
    await exports.api.send('POST', `${pathOf(one)}/cancel`, { site: crowded });
    await exports.work();
    expect(await exports.read(one, crowded)).toMatchObject({ state: 'canceled', rows_count: rowsOfStatement });
  });

  it('fails when its last attempt outlives the deadline', async () => {
    const one = await exports.start({ collection: 'students', format: 'csv' }, crowded);
    await exports.database.query('update exports set attempts = $2 where id = $1', [one['id'], LAST]);
    const [job] = await exports.get(ExportQueue).claim();
    if (job === undefined) throw new Error('No job is due');
    await exports.get(ExportQueue).fail(job, 'The job took longer than its deadline');
    await exports.database.query(`update exports set due_at = now() - interval '1 second' where id = $1`, [one['id']]);
    await exports.work();
    expect(await exports.read(one, crowded)).toMatchObject({ state: 'failed', error: 'internal' });
  });

  it('fails after its last attempt, and says so', async () => {
    const one = await exports.start({ collection: 'students', format: 'csv' }, crowded);
    await exports.database.query(`update exports set cursor = 'of another key', attempts = $2 where id = $1`, [
      one['id'],
      LAST,
    ]);
    await exports.work();
    expect(await exports.read(one, crowded)).toMatchObject({ state: 'failed', error: 'internal' });
  });
});

it('deletes old exports with their files', async () => {
  const one = await exports.start({ collection: 'students', format: 'csv' });
  await exports.work();
  const [file = ''] = await exports.filesOf(one);
  expect(file).not.toBe('');
  await exports.get(ExportSweep).run();
  expect(await exports.filesOf(one)).toEqual([file]);
  await exports.database.query(`update exports set expires_at = now() - interval '1 second' where id = $1`, [
    one['id'],
  ]);
  await exports.get(ExportSweep).run();
  expect((await exports.api.send('GET', pathOf(one))).status).toBe(404);
  expect(await exports.filesOf(one)).toEqual([]);
  const events = await exports.api.events.of([String(one['id'])], 4);
  expect(events.map(({ type }) => type.split('.')[2])).toEqual(['created', 'started', 'ready', 'deleted']);
});

it('deletes files that no export has after three days', async () => {
  const one = { id: '019ab3c0-0000-7000-8000-000000000000', site_id: exports.api.sites[0].site_id };
  const files = exports.get(ExportFiles);
  const key = await files.put(one, 'csv', [Buffer.from('left behind')]);
  await files.deleteForgotten();
  expect(await exports.filesOf(one)).toEqual([key]);
  const old = new Date(Date.now() - 3 * 24 * 3_600_000 - 1_000);
  await utimes(join(exports.api.config.FILES_DIRECTORY, key), old, old);
  await files.deleteForgotten();
  expect(await exports.filesOf(one)).toEqual([]);
});
