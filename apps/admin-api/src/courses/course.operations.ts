import { collection } from '@lyceum/collections';
import { createInSets, rowTag } from '@lyceum/rest';
import { urlOf, urlVersions } from '#src/urls/object-url.js';
import { Course } from './course.entity.js';
import { course } from './course.schema.js';
import { CourseService } from './course.service.js';

/** Entity tags consist of integers. */
function tagged(row: Course): number[] {
  return [row.reviews_count, Math.round((row.rating_average ?? 0) * 100), ...urlVersions(row)];
}

export const shownCourse = {
  name: 'courses',
  resource: course,
  view: { seo: ({ seo }: Course) => seo ?? { title: null, description: null }, url: urlOf },
  etag: (row: Course) => rowTag(row.version, row.enrollments_count, row.duration_seconds, ...tagged(row)),
};

export const courseCollection = collection({
  ...shownCourse,
  description: 'Courses of the site, from draft to archive.',
  scope: 'courses',
  service: CourseService,
  row: Course,
  toolItem: ['id', 'slug', 'name', 'state', 'course_type', 'hidden', 'enrollments_count', 'published_at', 'updated_at'],
  operations: {
    list: {
      id: 'listCourses',
      summary: 'List courses',
      description: 'Returns courses of every state, without their descriptions.',
      tool: {
        core: true,
        description:
          'Lists the courses of this site, drafts and archived ones included, newest first. Use it to manage courses; ' +
          'browse_catalog shows the courses that visitors see.',
      },
      run: (courses, { principal, query }) => courses.list(principal, query),
    },
    get: {
      id: 'getCourse',
      summary: 'Get a course',
      description: 'Returns a course of any state with its description.',
      tool: {
        core: true,
        description:
          'Reads one course of any state, with everything that operators can set and the number of enrollments. Use it ' +
          'before changing a course; browse_item shows what visitors see.',
      },
      run: (courses, { principal, id }) => courses.get(principal, id),
    },
    create: {
      id: 'createCourse',
      summary: 'Create a course',
      description:
        'The new course is a draft: only operators see it until it is published. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        core: true,
        description:
          'Creates a course as a draft, which only operators see. Use it to begin a course; publish_course shows it to ' +
          'visitors.',
      },
      run: (courses, { principal, body, tx }) => courses.create(principal, body, tx),
    },
    bulk: {
      id: 'createCourses',
      summary: 'Create courses',
      description:
        'Creates up to 200 courses as drafts: all of them or none with `atomic`, else each by itself. Needs the role ' +
        'owner or admin.',
      problems: ['already_exists', 'forbidden'],
      body: course.create,
      run: (courses, { principal, body, tx }) =>
        createInSets(tx, body, {
          all: (inner, items) => courses.createAll(principal, items, inner),
          each: (inner, item) => courses.create(principal, item, inner),
        }),
    },
    upsert: {
      id: 'putCourse',
      summary: 'Create or update a course',
      description: 'Creates the course of the `external_id` as a draft, or changes the fields that the body names.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      run: (courses, request) => courses.upsert(request),
    },
    update: {
      id: 'updateCourse',
      summary: 'Update a course',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Of an archived course, `category_ids` alone ' +
        'can change. Only owners and admins change `lecturer_ids`, `course_type` and `featured`.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        core: true,
        description:
          'Changes the given members of a course: absent ones stay, null clears. Use it to edit a course that is not ' +
          'archived; publish_course and unpublish_course change the state.',
      },
      run: (courses, { principal, body, tx, ...key }) => courses.patch(principal, key, body, tx),
    },
    actions: {
      publish: {
        id: 'publishCourse',
        summary: 'Publish a course',
        description: 'From draft or unpublished. `published_at` keeps the first publication.',
        problems: ['invalid_state'],
        tool: {
          core: true,
          description:
            'Shows a draft or unpublished course to visitors. Use it when a course is ready; unpublish_course hides it.',
        },
        run: (courses, { principal, tx, ...key }) => courses.move(principal, key, 'publish', tx),
      },
      unpublish: {
        id: 'unpublishCourse',
        summary: 'Unpublish a course',
        description: 'From published. Enrollments stay as they are.',
        problems: ['invalid_state'],
        tool: {
          core: true,
          description:
            'Hides a published course from visitors and leaves its enrollments as they are. Use it to take a course off ' +
            'the catalog; publish_course shows it again.',
        },
        run: (courses, { principal, tx, ...key }) => courses.move(principal, key, 'unpublish', tx),
      },
      archive: {
        id: 'archiveCourse',
        summary: 'Archive a course',
        description:
          'From unpublished, and for good: an archived course can be read, and taken off its categories. With live ' +
          'enrollments it needs the role owner or admin.',
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Closes an unpublished course for good: it can be read, but not changed, published or enrolled in. Use it for ' +
            'a course that is over; it cannot be undone.',
        },
        run: (courses, { principal, tx, ...key }) => courses.move(principal, key, 'archive', tx),
      },
    },
    delete: {
      id: 'deleteCourse',
      summary: 'Delete a course',
      description:
        'For good, and only while the course never had an enrollment, no membership plan, post or announcement names ' +
        'it, and no pending order names a plan of it.',
      problems: ['resource_in_use'],
      tool: {
        description:
          'Deletes a course that never had an enrollment; any other is refused with resource_in_use. Use it for a course ' +
          'that was created by mistake; archive_course is for one that is over.',
      },
      run: (courses, { principal, tx, ...key }) => courses.remove(principal, key, tx),
    },
    expand: {
      lecturers: (courses, { principal, rows }) => courses.lecturersOf(principal, rows),
      categories: (courses, { principal, rows }) => courses.categoriesOf(principal, rows),
    },
  },
});
