import type { Cases, CreateOther } from '@lyceum/collections/conventions';
import { api } from './convention-target.js';
import { TEACHER } from './course-cases.js';

/** A file that is ready. The job, which would read it, does not run. */
async function readyUpload(unique: string, other: CreateOther): Promise<unknown> {
  const { id } = await other('/api/v1/uploads', {
    purpose: 'import',
    filename: `${unique}.csv`,
    content_type: 'text/csv',
    bytes: 3,
    sha256: '0'.repeat(64),
  });
  await api.query(`update files set state = 'ready' where id = $1`, [id]);
  return id;
}

export const importCases: Cases = {
  create: async (unique, other) => ({
    collection: 'students',
    format: 'csv',
    upload_id: await readyUpload(unique, other),
  }),
  bodies: {
    // The job would end the check.
    run: async () => {
      await api.query(`update imports set state = 'previewed', ended_at = now(), preview = $1 where state = 'queued'`, [
        { rows_created: 1, rows_updated: 0, rows_skipped: 0, rows_failed: 0 },
      ]);
      return { skip_invalid: false };
    },
  },
  readOnly: [
    'created_by',
    'state',
    'error',
    'rows_total',
    'preview',
    'rows_done',
    'rows_created',
    'rows_updated',
    'rows_skipped',
    'rows_failed',
    'faults_count',
    'faults',
    'report_url',
    'expires_at',
  ],
  references: ['upload_id'],
  derived: ['created_by', 'expires_at'],
  scopes: {
    'GET /api/v1/imports': 'students:read',
    'GET /api/v1/imports/{id}': 'students:read',
    'POST /api/v1/imports': 'students:write',
    'POST /api/v1/imports/{id}/cancel': 'students:write',
    'POST /api/v1/imports/{id}/run': 'students:write',
  },
  states: { member: 'state', initial: 'queued', moves: { cancel: { queued: 'canceled', canceled: 'canceled' } } },
  personal: true,
  own: true,
  fenced: TEACHER,
  exempt: [
    // An import has no own key.
    'filters by time, own key and words',
    // The body of the case changes the import before the request: imports.spec.ts has these two.
    "answers 404 for another site's object, as for an unknown one: POST /api/v1/imports/{id}/run",
    "answers a tool call for another site's object as for an unknown one: run_import",
  ],
};
