import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Stack } from '@lyceum/local';
import { benchSite } from '../bench-stack.ts';
import { onDatabase } from '../data/database.ts';
import { fillSchool } from '../data/school.ts';
import { residentMemory } from '../processes.ts';
import type { Suite } from '../suite.ts';
import { operatorOf } from './operator.ts';

/** Reads of the export are far below the rate limit of a person. */
const POLL_MS = 500;
const MEGABYTE = 1024 ** 2;

interface Exported {
  readonly id: string;
  readonly state: string;
  readonly rows_count: number;
}

/** The members of enrollments that a list reads, as the rows of a file. `:site` stands for the site. */
const ROWS = `SELECT e.*,
    (SELECT json_build_object('lecture_id', p.lecture_id, 'lecture_title', p.lecture_title,
       'position_seconds', p.position_seconds, 'watched_at', p.watched_at)
     FROM progress p WHERE p.site_id = e.site_id AND p.student_id = e.student_id AND p.course_id = e.course_id
     ORDER BY p.watched_at DESC, p.id DESC LIMIT 1) AS last_watched,
    (SELECT coalesce(json_agg(json_build_object('id', g.id, 'source', g.source, 'source_id', g.source_id,
       'plan_id', g.plan_id, 'starts_at', g.starts_at, 'ends_at', g.ends_at, 'revoked_at', g.revoked_at)
       ORDER BY g.starts_at, g.id), '[]')
     FROM access_grants g WHERE g.site_id = e.site_id AND g.enrollment_id = e.id) AS grants
  FROM enrollments e WHERE e.site_id = :site ORDER BY e.id`;

/** An export of all enrollments of a site: its speed, and the memory of the service meanwhile. */
export const exports: Suite = async ({ stack, arguments: { rows }, step, hold }) => {
  const { site_id } = benchSite(stack);
  await step(`insert ${rows} enrollments`, () =>
    onDatabase(stack.databaseUrl('school'), async (client) => {
      await fillSchool(client, site_id, rows);
      await client.query('VACUUM (ANALYZE) students, enrollments, access_grants');
    }),
  );
  hold({ 'exported enrollments': rows });
  // The speed of a shared machine changes within a minute.
  const before = await step('copy them by psql', () => copyAll(stack, rows));
  const { microseconds, megabytes } = await step('export them', () => exportAll(stack, rows));
  const after = await step('copy them by psql again', () => copyAll(stack, rows));
  const copied = (before + after) / 2;
  const count = rows.toLocaleString('en');
  return [
    {
      suite: 'exports',
      title: `growth of admin-api while it exports ${count} enrollments`,
      unit: 'MB',
      goal: 30,
      measure: () => Promise.resolve(megabytes),
    },
    {
      suite: 'exports',
      title: `time of an enrollment in an export of ${count}`,
      unit: 'µs',
      // 5,000 rows a second.
      goal: 200,
      measure: () => Promise.resolve(microseconds),
    },
    {
      suite: 'exports',
      title: `the same ÷ \\copy of psql, of the same members of ${count} rows to a file`,
      unit: '×',
      // 0.5 of the rows in the same time.
      goal: 2,
      measure: () => Promise.resolve(microseconds / copied),
    },
  ];
};

/** Microseconds in which psql (package postgresql-client of Debian) copies a row to a file. */
async function copyAll(stack: Stack, rows: number): Promise<number> {
  const url = new URL(stack.postgres!.adminUrl);
  url.pathname = new URL(stack.databaseUrl('school')).pathname;
  const directory = await mkdtemp(join(tmpdir(), 'bench-copy-'));
  try {
    // The command of psql ends with its line. A site has an id of hexadecimal digits and hyphens.
    const query = ROWS.replaceAll(/\s+/g, ' ').replace(':site', `'${benchSite(stack).site_id}'`);
    const command = `\\copy (${query}) to '${join(directory, 'rows.csv')}' csv header`;
    const began = performance.now();
    const { stdout } = await promisify(execFile)('psql', ['-X', url.href, '-c', command]);
    const taken = performance.now() - began;
    const copied = Number(/^COPY (\d+)/.exec(stdout)?.[1]);
    if (!(copied >= rows)) throw new Error(`psql copied ${copied} of ${rows} rows`);
    return (taken * 1_000) / copied;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function exportAll(stack: Stack, rows: number): Promise<{ microseconds: number; megabytes: number }> {
  const send = await operatorOf(stack, 'students:read');
  const { pid } = stack.services.find(({ name }) => name === 'admin-api')!;
  const before = residentMemory(pid!) ?? 0;
  let most = before;
  const began = performance.now();
  const { id } = await send('POST', '/exports', { collection: 'enrollments', format: 'jsonl' });
  for (;;) {
    await sleep(POLL_MS);
    most = Math.max(most, residentMemory(pid!) ?? 0);
    const { state, rows_count } = (await send('GET', `/exports/${id}`)) as Exported;
    if (state === 'failed') throw new Error('The export failed');
    if (state !== 'ready') continue;
    // Enrollments of the demo are exported, too.
    if (rows_count < rows) throw new Error(`The export has ${rows_count} of ${rows} rows`);
    return { microseconds: ((performance.now() - began) * 1_000) / rows_count, megabytes: (most - before) / MEGABYTE };
  }
}
