import { setTimeout as sleep } from 'node:timers/promises';
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
  const { microseconds, megabytes } = await step('export them', () => exportAll(stack, rows));
  const count = rows.toLocaleString('en');
  return [
    {
      suite: 'exports',
      title: `growth of admin-api while it exports ${count} enrollments`,
      unit: 'MB',
      goal: 100,
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
  ];
};

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
