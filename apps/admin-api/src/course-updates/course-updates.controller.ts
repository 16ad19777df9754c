import { BulkWrites, Routes, bulkBody, bulkResults, changeInSets, idIn, toolOptionalMatch } from '@lyceum/rest';
import type { ApiResponse, RouteRequest } from '@lyceum/rest';
import { Controller } from '@nestjs/common';
import { course } from '#src/courses/course.schema.js';
import type { CoursePatch } from '#src/courses/course.schema.js';
import { CourseService } from '#src/courses/course.service.js';

const item = course.patch
  .extend({
    id: idIn.meta({ description: 'The course to change' }),
    if_match: toolOptionalMatch.meta({ description: 'Entity tag of the course: refused when it has another one' }),
  })
  .meta({ id: 'CourseUpdate', examples: [{ id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90', featured: true }] });

type Update = CoursePatch & { readonly id: string; readonly if_match?: string };

/** Changes many courses at once, which is no operation of a collection. */
@Routes([
  {
    method: 'patch',
    path: '/api/v1/courses/bulk',
    parameters: [],
    scopes: ['courses:write'],
    query: undefined,
    body: bulkBody('CourseUpdate', item),
    operation: {
      id: 'updateCourses',
      summary: 'Update courses',
      description:
        'Changes up to 200 courses, each as "Update a course" does: all of them or none with `atomic`, else each by ' +
        'itself. An item has the `id` of a course and the fields to change. `if_match` of an item takes an entity tag.',
      responses: { 200: { description: 'One result for each item', schema: bulkResults('CourseUpdate') } },
      conditional: false,
      problems: ['forbidden'],
    },
    respond: (controller: CourseUpdatesController, request) => controller.change(request),
  },
])
@Controller()
export class CourseUpdatesController {
  constructor(
    private readonly courses: CourseService,
    private readonly writes: BulkWrites,
  ) {}

  change({ principal, write, body }: RouteRequest): Promise<ApiResponse> {
    if (write === undefined) throw new Error('PATCH is a write');
    return this.writes.run(principal, write, body as object, ({ body: items, tx }) => {
      const changes = (items as readonly Update[]).map(({ id, if_match: ifMatch, ...patch }) => ({
        id,
        ifMatch,
        patch,
      }));
      return changeInSets(tx, changes, {
        all: (inner, set) => this.courses.patchAll(principal, set, inner),
        each: (inner, { patch, ...key }) => this.courses.patch(principal, key, patch, inner),
      });
    });
  }
}
