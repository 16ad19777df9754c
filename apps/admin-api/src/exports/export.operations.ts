import { collection, rowOf } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { linkPeriod } from '#src/file-jobs/file-job.policy.js';
import type { LinkedExport } from './export.files.js';
import { exported } from './export.schema.js';
import { ExportService } from './export.service.js';

export const exportCollection = collection({
  name: 'exports',
  scope: 'students',
  service: ExportService,
  row: rowOf<LinkedExport>(),
  writesByReaders: true,
  resource: exported,
  // The link of a ready export changes in each period.
  etag: ({ version, rows_count, state }) =>
    rowTag(version, rows_count, state === 'ready' ? linkPeriod(Date.now()).number : 0),
  personal: true,
  operations: {
    list: {
      id: 'listExports',
      summary: 'List exports',
      description: 'Owners and admins see all exports of the site; teachers see their own.',
      run: (exports, { principal, query }) => exports.list(principal, query),
    },
    get: {
      id: 'getExport',
      summary: 'Get an export',
      description: 'Returns the progress of the export, and the link to its file once it is ready.',
      tool: {
        description:
          'Reads the state of an export and, once it is ready, the short-lived link to its file. Use it some seconds ' +
          'after create_export, until the state is ready or failed.',
      },
      run: (exports, { principal, id }) => exports.get(principal, id),
    },
    create: {
      id: 'createExport',
      summary: 'Export a collection',
      description:
        'Starts a job that writes all objects of the collection to one file, with the fence of lists: a teacher exports ' +
        'own students. Orders need the scope `orders:read`, form submissions `forms:read` and a `form_id`, members ' +
        '`members:read`, activity `school:read`, reports of analytics `analytics:read`, and all of these the role owner ' +
        'or admin. The file has the objects that existed at the request and still exist when they are read. A report has ' +
        'a row for each period, and each currency where amounts are, of the range in `filters`. Read the export until ' +
        'its state is ready. It is deleted a day after that. A site has at most 100 exports.',
      problems: ['forbidden', 'invalid_state'],
      tool: {
        description:
          'Starts an export of all students, enrollments, progress, orders, members, changes or submissions of a form, or ' +
          'of a report of analytics, to a CSV or JSON Lines file. Use it for more rows than a list shows, or for a ' +
          'spreadsheet; get_export returns the link.',
      },
      run: (exports, { principal, body, tx }) => exports.create(principal, body, tx),
    },
    actions: {
      cancel: {
        id: 'cancelExport',
        summary: 'Cancel an export',
        description: 'Stops the job. Canceling twice changes nothing; an export that is ready or failed is refused.',
        ends: true,
        problems: ['invalid_state'],
        run: (exports, { principal, tx, ...key }) => exports.cancel(principal, key, tx),
      },
    },
  },
});
