import { stringify } from 'csv-stringify/sync';
import type { AuditRow } from '#src/audit/audit-row.js';
import type { Page } from '#src/pages/page.js';
import { sentenceOf } from './audit.page.js';

const COLUMNS = ['occurred_at', 'event', 'sentence', 'person', 'email', 'client', 'client_id', 'details'];

/** The entries as a file (RFC 4180). A value that a spreadsheet would run as a formula gets the prefix `'`. */
export function auditCsv(rows: readonly AuditRow[]): Page {
  const objects = rows.map((row) => ({
    occurred_at: row.occurred_at.toISOString(),
    event: row.event,
    sentence: sentenceOf(row),
    person: row.person_name,
    email: row.email,
    client: row.client_name,
    client_id: row.client_id,
    details: JSON.stringify(row.details),
  }));
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log.csv"',
      'cache-control': 'no-store',
    },
    body: stringify(objects, { columns: COLUMNS, header: true, escape_formulas: true, record_delimiter: 'windows' }),
  };
}
