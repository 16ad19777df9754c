import { collection, rowOf } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { linkPeriod } from '#src/file-jobs/file-job.policy.js';
import type { LinkedImport } from './import.files.js';
import { IMPORT_LIMITS, rowsDone } from './import.policy.js';
import { importRun, imported } from './import.schema.js';
import { ImportService } from './import.service.js';

/** Release 0.1.0 stores faults without these. */
const UNKNOWN = { column: null, value: null };

export const importCollection = collection({
  name: 'imports',
  scope: 'students',
  service: ImportService,
  row: rowOf<LinkedImport>(),
  resource: imported,
  view: {
    rows_done: rowsDone,
    faults: ({ faults }) => faults.slice(0, IMPORT_LIMITS.shownFaults).map((fault) => ({ ...UNKNOWN, ...fault })),
  },
  // A report has another link in each period.
  etag: (row) => rowTag(row.version, rowsDone(row), row.report_key === null ? 0 : linkPeriod(Date.now()).number),
  personal: true,
  operations: {
    list: {
      id: 'listImports',
      summary: 'List imports',
      description: 'Imports of the site, for owners and admins.',
      run: (imports, { principal, query }) => imports.list(principal, query),
    },
    get: {
      id: 'getImport',
      summary: 'Get an import',
      description: 'Shows the preview with the first faults, the progress, and the link to the report of faults.',
      tool: {
        description:
          'Reads the state of an import: its preview with the first faults, its progress and its outcome. Use it some ' +
          'seconds after create_import until the state is previewed or invalid, and after run_import until it is completed.',
      },
      run: (imports, { principal, id }) => imports.get(principal, id),
    },
    create: {
      id: 'createImport',
      summary: 'Check a file of objects',
      description:
        'Starts a job that checks all rows of an uploaded file and changes nothing. Categories need the scope ' +
        '`courses:write`, too, lecturers `lecturers:write`, and courses `courses:write` and `curriculum:write`. Read the ' +
        `import until its state is previewed, then run it. A file has at most ${IMPORT_LIMITS.rows} rows. The import is ` +
        'deleted a day after its last step. A site has at most 100 imports.',
      problems: ['forbidden', 'invalid_state'],
      tool: {
        description:
          'Starts the check of an uploaded CSV or JSON Lines file of students, enrollments, courses, categories or ' +
          'lecturers, and changes nothing yet. Use it for more than 200 of them; get_import shows the preview, and ' +
          'run_import writes the rows.',
      },
      run: (imports, { principal, body, tx }) => imports.create(principal, body, tx),
    },
    actions: {
      run: {
        id: 'runImport',
        summary: 'Run an import',
        response: 'The import',
        description:
          'Adds and changes the objects of a previewed import by a job. An import with faults needs `skip_invalid`. ' +
          'Repeating it changes nothing.',
        body: importRun,
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Adds and changes the objects of an import whose state is previewed. Use it once the people agree with the ' +
            'preview that get_import shows; rows with faults are left out by skip_invalid: true.',
        },
        run: (imports, { principal, body, tx, ...key }) => imports.run(principal, key, body, tx),
      },
      cancel: {
        id: 'cancelImport',
        summary: 'Cancel an import',
        description:
          'Stops the job. Objects that were imported before stay. Canceling twice changes nothing; an import that has ' +
          'ended is refused.',
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        run: (imports, { principal, tx, ...key }) => imports.cancel(principal, key, tx),
      },
    },
  },
});
