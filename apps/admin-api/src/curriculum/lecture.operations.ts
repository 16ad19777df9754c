import { collection, rowOf } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { urlOf, urlVersions } from '#src/urls/object-url.js';
import { linkVersions, shownAttachments } from './lecture.files.js';
import type { LinkedLecture } from './lecture.files.js';
import { lecture } from './lecture.schema.js';
import { LectureService } from './lecture.service.js';

export const lectureCollection = collection({
  name: 'lectures',
  scope: 'curriculum',
  service: LectureService,
  row: rowOf<LinkedLecture>(),
  resource: lecture,
  view: { url: urlOf, attachments: shownAttachments },
  etag: (row) => rowTag(row.version, ...urlVersions(row), ...linkVersions(row)),
  toolItem: [
    'id',
    'course_id',
    'section_id',
    'slug',
    'title',
    'position',
    'lecture_type',
    'state',
    'duration_seconds',
    'updated_at',
  ],
  operations: {
    list: {
      id: 'listLectures',
      summary: 'List lectures',
      description:
        'Returns lectures of all courses and states, without their texts. `course_id` and `section_id` keep some of them; ' +
        'the curriculum of a course has them in their order.',
      tool: {
        description:
          'Lists lectures of all courses, of one course or of one section, drafts included, newest first. Use it to find ' +
          'lectures by state or own key; get_curriculum has the order of a course.',
      },
      run: (lectures, { principal, query }) => lectures.list(principal, query),
    },
    get: {
      id: 'getLecture',
      summary: 'Get a lecture',
      description: 'Returns a lecture of any state with its text and attachments.',
      tool: {
        description:
          'Reads one lecture with its text and attachments. Use it before update_lecture, with an id of get_curriculum.',
      },
      run: (lectures, { principal, id }) => lectures.get(principal, id),
    },
    create: {
      id: 'createLecture',
      summary: 'Create a lecture',
      description:
        'Adds a lecture after the last one of the section, as a draft unless `state` is `published`. A course has at most ' +
        '2,000 lectures. Members see published ones only. Upload the files of its attachments first.',
      problems: ['already_exists', 'invalid_state', 'not_found'],
      tool: {
        core: true,
        description:
          'Adds a lecture after the last one of a section. Use it to build a curriculum; members see it with state ' +
          'published, or after publish_lecture.',
      },
      run: (lectures, { principal, body, tx }) => lectures.create(principal, body, tx),
    },
    bulk: {
      id: 'createLectures',
      summary: 'Create lectures',
      description:
        'Adds up to 200 lectures in their order, each after the last lecture of its section: all of them or none with ' +
        '`atomic`, else each by itself. Their attachments have a `url`: a `PATCH` adds files.',
      body: lecture.create,
      run: (lectures, { principal, body, tx }) => lectures.createAll(principal, body, tx),
    },
    upsert: {
      id: 'putLecture',
      summary: 'Create or update a lecture',
      description: 'Creates the lecture of the `external_id` as a draft, or changes the fields that the body names.',
      problems: ['already_exists', 'invalid_state', 'not_found'],
      run: (lectures, request) => lectures.upsert(request),
    },
    update: {
      id: 'updateLecture',
      summary: 'Update a lecture',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears, attachments are replaced. The course must not be ' +
        'archived.',
      problems: ['already_exists', 'invalid_state'],
      tool: {
        description:
          'Changes the given members of a lecture: absent ones stay, null clears, attachments are replaced. Use it to edit ' +
          'a lecture or to move it to another section of its course.',
      },
      run: (lectures, { principal, body, tx, ...key }) => lectures.patch(principal, key, body, tx),
    },
    actions: {
      publish: {
        id: 'publishLecture',
        summary: 'Publish a lecture',
        description: 'From draft. Members of the course see it. `published_at` keeps the first publication.',
        problems: ['invalid_state'],
        tool: {
          core: true,
          description: 'Shows a draft lecture to the members of its course. Use it when a lecture is ready.',
        },
        run: (lectures, { principal, tx, ...key }) => lectures.move(principal, key, 'publish', tx),
      },
      unpublish: {
        id: 'unpublishLecture',
        summary: 'Unpublish a lecture',
        description: 'From published. It is a draft again, and progress in it stays.',
        problems: ['invalid_state'],
        tool: {
          description:
            'Hides a published lecture from members and keeps their progress. Use it to take a lecture back for changes; ' +
            'publish_lecture shows it again.',
        },
        run: (lectures, { principal, tx, ...key }) => lectures.move(principal, key, 'unpublish', tx),
      },
    },
    delete: {
      id: 'deleteLecture',
      summary: 'Delete a lecture',
      description: 'Only while no student has progress in it.',
      problems: ['invalid_state', 'resource_in_use'],
      tool: {
        description:
          'Deletes a lecture in which no student has progress. Use it for a mistake; unpublish_lecture hides a lecture ' +
          'that students watched.',
      },
      run: (lectures, { principal, tx, ...key }) => lectures.remove(principal, key, tx),
    },
  },
});
