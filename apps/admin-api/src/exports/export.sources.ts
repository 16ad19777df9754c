import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { shownEnrollment } from '#src/enrollments/enrollment.operations.js';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { progress } from '#src/progress/progress.schema.js';
import { ProgressService } from '#src/progress/progress.service.js';
import { student } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import { AdministratorSources } from './administrator.sources.js';
import { AnalyticsSources } from './analytics.sources.js';
import { ENROLLMENT_LINES } from './enrollment.lines.js';
import type { Export } from './export.entity.js';
import type { ExportRequest, ExportWork, ExportedRows, Source } from './export.source.js';
import { listSource } from './list.source.js';
import { PROGRESS_LINES, STUDENT_LINES } from './person.lines.js';

/** Reads the collections that can be exported, with the fences and views of their reads. */
@Injectable()
export class ExportSources {
  readonly #sources: Readonly<Record<Export['collection'], Source>>;

  constructor(
    students: StudentService,
    enrollments: EnrollmentService,
    watched: ProgressService,
    administrators: AdministratorSources,
    analytics: AnalyticsSources,
  ) {
    this.#sources = {
      students: listSource({
        shown: { resource: student },
        lines: STUDENT_LINES,
        list: (caller, query) => students.list(caller, query),
      }),
      enrollments: listSource({
        shown: shownEnrollment,
        lines: ENROLLMENT_LINES,
        list: (caller, query) => enrollments.list(caller, query),
      }),
      progress: listSource({
        shown: { resource: progress },
        lines: PROGRESS_LINES,
        more: ['student_id'],
        list: (caller, query, { student_id }) => watched.list(caller, query, student_id === null ? {} : { student_id }),
      }),
      ...administrators.sources,
      ...analytics.sources,
    };
  }

  columnsOf(collection: Export['collection']): readonly string[] {
    return this.#sources[collection].columns;
  }

  isForAdministrators(collection: Export['collection']): boolean {
    return this.#sources[collection].forAdministrators === true;
  }

  /**
   * Returns the filters of an export. Returns the columns of its CSV file too, where those could change before the
   * worker writes it.
   *
   * @throws `validation_failed` for a wrong or a missing filter
   */
  async atRequest(
    caller: Caller,
    request: ExportRequest,
    tx: EntityManager,
  ): Promise<Pick<Export, 'filters' | 'columns'>> {
    const source = this.#sources[request.collection];
    requireFilters(source, request);
    const { filters = request.filters, columns = null } = (await source.atRequest?.(caller, request, tx)) ?? {};
    return { filters, columns };
  }

  read(caller: Caller, work: ExportWork, cursor: string | undefined, limit: number): Promise<ExportedRows> {
    return this.#sources[work.collection].read(caller, work, cursor, limit);
  }
}

/** @throws `validation_failed` for a filter that the collection lacks */
function requireFilters({ filters: known }: Source, { collection, filters }: ExportRequest): void {
  const given = Object.entries(filters).filter(([, value]) => value !== null);
  const words = collection.replaceAll('_', ' ');
  const errors = given.flatMap(([name, value]) => {
    const isKnown = name in known;
    if (isKnown && known[name]?.safeParse(value).success !== false) return [];
    const detail = isKnown ? `The ${words} have no such ${name}` : `An export of ${words} has no filter ${name}`;
    return [{ pointer: `/filters/${name}`, code: 'invalid_value' as const, detail }];
  });
  if (errors.length > 0) throw new ApiError('validation_failed', 'The collection has no such filter', { errors });
}
