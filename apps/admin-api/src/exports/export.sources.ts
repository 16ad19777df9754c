import { View } from '@lyceum/collections';
import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { shownEnrollment } from '#src/enrollments/enrollment.operations.js';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { shownSubmission } from '#src/form-submissions/form-submission.operations.js';
import { FormSubmissionService } from '#src/form-submissions/form-submission.service.js';
import { progress } from '#src/progress/progress.schema.js';
import { ProgressService } from '#src/progress/progress.service.js';
import { student } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import { AdministratorSources } from './administrator.sources.js';
import type { Export } from './export.entity.js';
import { EXPORT_LIMITS } from './export.policy.js';
import type { ExportFilters } from './export.schema.js';
import type { Source } from './export.source.js';

type Work = Pick<Export, 'collection' | 'filters' | 'created_at'>;

/** Reads the collections that can be exported, with the fences and views of their lists. */
@Injectable()
export class ExportSources {
  readonly #sources: Readonly<Record<Export['collection'], Source>>;

  constructor(
    students: StudentService,
    enrollments: EnrollmentService,
    watched: ProgressService,
    administrators: AdministratorSources,
    private readonly submissions: FormSubmissionService,
  ) {
    this.#sources = {
      students: {
        view: new View({ resource: student }),
        resource: student,
        list: (caller, query) => students.list(caller, query),
      },
      enrollments: {
        view: new View(shownEnrollment),
        resource: shownEnrollment.resource,
        list: (caller, query) => enrollments.list(caller, query),
      },
      progress: {
        view: new View({ resource: progress }),
        resource: { ...progress, filters: [...progress.filters, 'student_id'] },
        list: (caller, query, { student_id }) => watched.list(caller, query, student_id === null ? {} : { student_id }),
      },
      ...administrators.sources,
      form_submissions: {
        forAdministrators: true,
        view: new View(shownSubmission),
        resource: { ...shownSubmission.resource, filters: [...shownSubmission.resource.filters, 'form_id'] },
        list: (caller, query, { form_id }) => submissions.list(caller, query, { form_id: form_id ?? '' }),
      },
    };
  }

  viewOf(collection: Export['collection']): View {
    return this.#sources[collection].view;
  }

  isForAdministrators(collection: Export['collection']): boolean {
    return this.#sources[collection].forAdministrators === true;
  }

  /** @throws `validation_failed` for a filter that the collection lacks */
  requireFilters({ collection, filters }: Pick<Export, 'collection' | 'filters'>): void {
    const { resource } = this.#sources[collection];
    const known = [...resource.filters, ...resource.ranges, ...(resource.search === undefined ? [] : ['q'])];
    const given = Object.entries(filters).filter(([, value]) => value !== null);
    const errors = given.flatMap(([name, value]) => {
      const schema = resource.filterSchemas[name] as z.ZodType | undefined;
      const fits = known.includes(name) && (schema === undefined || schema.safeParse(value).success);
      const detail = known.includes(name)
        ? `The ${collection} have no such ${name}`
        : `A list of ${collection} has no filter ${name}`;
      return fits ? [] : [{ pointer: `/filters/${name}`, code: 'invalid_value' as const, detail }];
    });
    if (errors.length > 0) throw new ApiError('validation_failed', 'The collection has no such filter', { errors });
  }

  /**
   * Returns the columns of a CSV file that can change until it is written: each field of a form is a column.
   *
   * @throws `validation_failed` for an export of submissions without a form of the site
   */
  async columnsAtRequest(
    caller: Caller,
    { collection, filters: { form_id } }: Pick<Export, 'collection' | 'filters'>,
    tx: EntityManager,
  ): Promise<string[] | null> {
    if (collection !== 'form_submissions') return null;
    const fields = form_id === null ? undefined : await this.submissions.fieldsOf(caller, form_id, tx);
    if (fields === undefined) {
      const code = form_id === null ? 'required' : 'not_found';
      throw new ApiError('validation_failed', 'Submissions are exported form by form', {
        errors: [{ pointer: '/filters/form_id', code, detail: 'The id of a form of the site' }],
      });
    }
    const answers = fields.map(({ key }) => `answers.${key}`);
    return this.viewOf(collection).columns.flatMap((column) => (column === 'answers' ? answers : [column]));
  }

  /** Reads the next rows in the order of their ids. Rows that are newer than the export are left out. */
  async read(caller: Caller, { collection, filters, created_at }: Work, cursor: string | undefined) {
    const { list, view } = this.#sources[collection];
    const query = { ...listed(filters, created_at), sort: 'id', limit: EXPORT_LIMITS.rowsOfStatement, cursor };
    const page = await list(caller, { ...query, include_total: false }, filters);
    return { objects: page.rows.map((row) => view.summary(row)), next: page.next };
  }
}

/** Converts filters to the parameters of a list, such as `created_at[gte]`. */
function listed(filters: ExportFilters, until: Date): Readonly<Record<string, unknown>> {
  const parameters = Object.entries(filters).flatMap(([name, value]): [string, unknown][] =>
    value !== null && typeof value === 'object'
      ? Object.entries(value).map(([comparison, instant]) => [`${name}[${comparison}]`, instant])
      : [[name, value]],
  );
  const given: Readonly<Record<string, unknown>> = Object.fromEntries(parameters.filter(([, value]) => value !== null));
  const last = filters.created_at?.lte ?? null;
  const end = last !== null && new Date(last) < until ? last : until.toISOString();
  return { ...given, 'created_at[lte]': end };
}
