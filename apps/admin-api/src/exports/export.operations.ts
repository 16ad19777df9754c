import { Action, Collection, Create, Get, List } from '@lyceum/collections';
import type { ChangeRequest, CreateRequest, Created, ListRequest, ObjectRequest, Written } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { linkPeriod } from '#src/file-jobs/file-job.policy.js';
import type { Export } from './export.entity.js';
import type { LinkedExport } from './export.files.js';
import { exported } from './export.schema.js';
import type { ExportCreate, ExportListQuery } from './export.schema.js';
import { ExportService } from './export.service.js';

@Collection<Export>({
  name: 'exports',
  scope: 'students',
  writesByReaders: true,
  resource: exported,
  // The link of a ready export changes in each period.
  etag: ({ version, rows_count, state }) =>
    rowTag(version, rows_count, state === 'ready' ? linkPeriod(Date.now()).number : 0),
  personal: true,
})
@Injectable()
export class ExportOperations {
  constructor(private readonly exports: ExportService) {}

  @List('listExports', {
    summary: 'List exports',
    description: 'Owners and admins see all exports of the site; teachers see their own.',
  })
  list({ principal, query }: ListRequest<ExportListQuery>): Promise<Page<Export>> {
    return this.exports.list(principal, query);
  }

  @Get('getExport', {
    summary: 'Get an export',
    description: 'Returns the progress of the export, and the link to its file once it is ready.',
    tool: {
      description:
        'Reads the state of an export and, once it is ready, the short-lived link to its file. Use it some seconds ' +
        'after create_export, until the state is ready or failed.',
    },
  })
  get({ principal, id }: ObjectRequest): Promise<LinkedExport> {
    return this.exports.get(principal, id);
  }

  @Create('createExport', {
    summary: 'Export a collection',
    description:
      'Starts a job that writes all objects of the collection to one file, with the fence of lists: a teacher exports ' +
      'own students. Orders need the scope `orders:read`, form submissions `forms:read` and a `form_id`, members ' +
      '`members:read`, activity `school:read`, and all of these the role owner or admin. The file has the objects that existed at the request and still exist when they are read. Read the ' +
      'export until its state is ready. It is deleted a day after that. A site has at most 100 exports.',
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Starts an export of all students, enrollments, progress, orders, members, changes or submissions of a form to a ' +
        'CSV or JSON Lines file. Use it for ' +
        'more rows than a list shows; get_export returns the link.',
    },
  })
  create({ principal, body, tx }: CreateRequest<ExportCreate>): Promise<Created<LinkedExport>> {
    return this.exports.create(principal, body, tx);
  }

  @Action('cancelExport', 'cancel', {
    summary: 'Cancel an export',
    description: 'Stops the job. Canceling twice changes nothing; an export that is ready or failed is refused.',
    ends: true,
    problems: ['invalid_state'],
  })
  cancel({ principal, id, ifMatch, tx }: ChangeRequest): Promise<Written<LinkedExport>> {
    return this.exports.cancel(principal, { id, ifMatch }, tx);
  }
}
