import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { csvText } from '@lyceum/platform';
import { deviceIn } from '#src/audit/acting-device.js';
import type { AuditRow } from '#src/audit/audit-row.js';
import type { Download } from '#src/pages/page.js';
import { sentenceOf } from './audit.page.js';

const COLUMNS = ['occurred_at', 'event', 'sentence', 'person', 'email', 'client', 'client_id', 'details', 'device'];

function lines(rows: readonly AuditRow[], header: boolean): string {
  const objects = rows.map((row) => ({
    occurred_at: row.occurred_at.toISOString(),
    event: row.event,
    sentence: sentenceOf(row),
    person: row.person_name,
    email: row.email,
    client: row.client_name,
    client_id: row.client_id,
    details: JSON.stringify(row.details),
    device: deviceIn(row.details),
  }));
  return csvText(COLUMNS, objects, header);
}

async function* parts(next: (isFirst: boolean) => Promise<string | undefined>): AsyncGenerator<string> {
  for (let part = await next(true); part !== undefined; part = await next(false)) yield part;
}

/** The entries as a file (RFC 4180), which is sent while it is read. It begins with the names of the columns. */
export function auditCsv(batches: AsyncIterator<readonly AuditRow[]>): Download {
  // The socket asks for further parts outside of the request, which has the language of the sentences.
  const next = AsyncResource.bind(async (isFirst: boolean) => {
    const batch = await batches.next();
    if (batch.done !== true) return lines(batch.value, isFirst);
    return isFirst ? lines([], true) : undefined;
  });
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log.csv"',
      'cache-control': 'no-store',
    },
    body: Readable.from(parts(next)),
  };
}
