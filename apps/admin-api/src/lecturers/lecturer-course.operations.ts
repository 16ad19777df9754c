import { Collection, Expand, List, collectionOf } from '@lyceum/collections';
import type { ExpandRequest, ListRequest, OfParent } from '@lyceum/collections';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Course } from '#src/courses/course.entity.js';
import { CourseOperations } from '#src/courses/course.operations.js';
import type { CourseListQuery } from '#src/courses/course.schema.js';
import { CourseService } from '#src/courses/course.service.js';
import { LecturerService } from './lecturer.service.js';

const { resource, view = {} } = collectionOf(CourseOperations);

@Collection<never>({
  name: 'courses',
  scope: 'courses',
  parent: { name: 'lecturers', one: 'lecturer' },
  resource,
  view,
})
@Injectable()
export class LecturerCourseOperations {
  constructor(
    private readonly lecturers: LecturerService,
    private readonly courses: CourseService,
  ) {}

  @List('listLecturerCourses', {
    summary: 'List the courses of a lecturer',
    description:
      'Returns the courses of every state that the lecturer teaches, without their descriptions. A lecturer sees the own ' +
      'ones only.',
    problems: ['not_found'],
  })
  async list({ principal, parent_id, query }: ListRequest<CourseListQuery> & OfParent): Promise<Page<Course>> {
    await this.lecturers.get(principal, parent_id);
    return this.courses.list(principal, { ...query, lecturer_id: parent_id });
  }

  @Expand('lecturers')
  lecturersOf({ principal, rows }: ExpandRequest<Course>): Promise<ReadonlyMap<string, unknown>> {
    return this.courses.lecturersOf(principal, rows);
  }

  @Expand('categories')
  categoriesOf({ principal, rows }: ExpandRequest<Course>): Promise<ReadonlyMap<string, unknown>> {
    return this.courses.categoriesOf(principal, rows);
  }
}
