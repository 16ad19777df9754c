import type { Caller, Created, Written } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Course } from '#src/courses/course.entity.js';
import { CourseService } from '#src/courses/course.service.js';
import type { ImportedObjects } from '#src/import-rows/object-imports.js';
import type { CourseRow } from './course-row.schema.js';
import { LectureService } from './lecture.service.js';
import { SectionService } from './section.service.js';

type Patch = Partial<CourseRow>;

/** Adds courses with their curricula, and changes courses without them, as rows of a file have them. */
@Injectable()
export class CourseImports implements ImportedObjects<Course, CourseRow, Patch> {
  constructor(
    private readonly courses: CourseService,
    private readonly sections: SectionService,
    private readonly lectures: LectureService,
  ) {}

  findBy(caller: Caller, member: 'slug' | 'external_id', values: readonly string[], tx?: EntityManager) {
    return this.courses.findBy(caller, member, values, tx);
  }

  /** @throws `validation_failed` for a curriculum: a row writes that of a new course only */
  changesOf(caller: Caller, course: Course, { sections, ...patch }: Patch): Partial<Course> | undefined {
    if (sections === undefined) return this.courses.changesOf(caller, course, patch);
    const detail = 'The course exists, and a row adds sections to a new course only';
    throw new ApiError('validation_failed', detail, {
      errors: [{ pointer: '/sections', code: 'not_changeable', detail }],
    });
  }

  /** Creates the courses, then all their sections, then all their lectures. */
  async createAll(
    caller: Caller,
    items: readonly CourseRow[],
    tx: EntityManager,
  ): Promise<readonly (Created<Course> | ApiError)[]> {
    const made = await this.courses.createAll(
      caller,
      items.map(({ sections: _sections, ...course }) => course),
      tx,
    );
    const parts = made.flatMap((one, index) => {
      if (one instanceof ApiError) return [];
      return (items[index]?.sections ?? []).map((section) => ({ ...section, course_id: one.row.id }));
    });
    if (parts.length === 0) return made;
    const sections = await this.sections.createAll(
      caller,
      parts.map(({ lectures: _lectures, opens_at, ...section }) => {
        return { ...section, opens_at: opens_at === null ? null : new Date(opens_at), external_id: null };
      }),
      tx,
    );
    const lectures = parts.flatMap(({ lectures: own }, index) => {
      const section_id = written(sections[index]).id;
      return own.map((lecture) => ({ ...lecture, section_id, external_id: null }));
    });
    for (const one of lectures.length === 0 ? [] : await this.lectures.createAll(caller, lectures, tx)) written(one);
    return made;
  }

  patchAll(
    caller: Caller,
    items: readonly { readonly id: string; readonly patch: Patch }[],
    tx: EntityManager,
  ): Promise<readonly (Written<Course> | ApiError)[]> {
    const changes = items.map(({ id, patch: { sections: _sections, ...patch } }) => ({ id, patch }));
    return this.courses.patchAll(caller, changes, tx);
  }
}

/** A part of a new course is refused only by a defect: the transaction must roll back. */
function written<Row>(outcome: Created<Row> | ApiError | undefined): Row {
  if (outcome === undefined || outcome instanceof ApiError) {
    throw new Error('A part of a course was not added', { cause: outcome });
  }
  return outcome.row;
}
