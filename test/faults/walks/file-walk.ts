import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@lyceum/testing';
import pg from 'pg';
import { send } from '../../clients/http.ts';
import type { FaultStack } from '../fault-stack.ts';
import type { Walk } from './walk.ts';

/** A sweep begins at most 38 seconds after the one before. */
const SWEPT_MS = 60_000;

/** A directory that is not empty stands where the bytes of a file should be: the store cannot delete it. */
export function fileNotDeleted(fault: FaultStack, operator: string): Walk {
  let upload: { readonly id: string };
  const planted = (): string =>
    join(fault.stack.environment('admin-api')['FILES_DIRECTORY']!, 'uploads', fault.site.site_id, upload.id);
  /** Makes the file due for the sweep, if it exists. Returns the number of such files. */
  const makeDue = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: fault.stack.databaseUrl('school') });
    await client.connect();
    const due = await client.query('update files set sweep_at = now() where id = $1', [upload.id]);
    await client.end();
    return due.rowCount ?? 0;
  };
  return {
    alerts: ['FilesNotDeleted'],
    fault: async () => {
      const file = { purpose: 'import', filename: 'a.csv', content_type: 'text/csv', bytes: 3, sha256: '0'.repeat(64) };
      const url = `${fault.site.base_url}/api/v1/uploads`;
      const { status, body } = await send<{ id: string }>(url, { token: operator, json: file });
      if (status !== 201) throw new Error(`The upload was answered with ${status}: ${JSON.stringify(body)}`);
      upload = body;
      await mkdir(join(planted(), 'planted'), { recursive: true });
    },
    load: makeDue,
    mend: async () => {
      await rm(planted(), { recursive: true });
      await eventually(makeDue, (count) => count === 0, SWEPT_MS);
    },
  };
}
