import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { urlOf, urlVersions } from '#src/urls/object-url.js';
import { Lecturer } from './lecturer.entity.js';
import { lecturer } from './lecturer.schema.js';
import { LecturerService } from './lecturer.service.js';

export const lecturerCollection = collection({
  name: 'lecturers',
  description: 'People who teach, as the site shows them.',
  scope: 'lecturers',
  service: LecturerService,
  row: Lecturer,
  resource: lecturer,
  view: { url: urlOf },
  etag: (row) => rowTag(row.version, ...urlVersions(row)),
  personal: true,
  toolItem: ['id', 'slug', 'name', 'email', 'member_id', 'position', 'visible', 'updated_at'],
  operations: {
    list: {
      id: 'listLecturers',
      summary: 'List lecturers',
      description: 'Returns visible and hidden lecturers of the site, without their biographies.',
      tool: {
        description:
          'Lists the lecturers of this site for its operators, hidden ones included, newest first, with their email ' +
          'addresses. Use it to manage lecturers; browse_lecturers shows the lecturers that visitors see.',
      },
      run: (lecturers, { principal, query }) => lecturers.list(principal, query),
    },
    get: {
      id: 'getLecturer',
      summary: 'Get a lecturer',
      description: 'Returns the lecturer with the biography.',
      tool: {
        description:
          'Reads one lecturer with title, links and biography. Use it when you know the id from list_lecturers.',
      },
      run: (lecturers, { principal, id }) => lecturers.get(principal, id),
    },
    create: {
      id: 'createLecturer',
      summary: 'Create a lecturer',
      description:
        'The new lecturer is hidden unless `visible` says otherwise. Needs the role owner or admin. Without `member_id`, ' +
        'the member with a teaching role and this `email` is linked.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Adds a lecturer, hidden unless visible is true. Use it before update_course names who teaches a course, for ' +
          'owners and admins.',
      },
      run: (lecturers, { principal, body, tx }) => lecturers.create(principal, body, tx),
    },
    upsert: {
      id: 'putLecturer',
      summary: 'Create or update a lecturer',
      description: 'Adds the lecturer of the `external_id`, or changes the fields that the body names.',
      problems: ['already_exists', 'forbidden'],
      run: (lecturers, request) => lecturers.upsert(request),
    },
    update: {
      id: 'updateLecturer',
      summary: 'Update a lecturer',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. A lecturer changes the own profile without ' +
        '`member_id` and `email`. With another `member_id`, the member sees the courses of the lecturer and their students from the ' +
        'next request on.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Changes the given members of a lecturer: absent ones stay, null clears. Use it to edit a profile, show or hide ' +
          'it, or link it to the account of a member.',
      },
      run: (lecturers, { principal, body, tx, ...key }) => lecturers.patch(principal, key, body, tx),
    },
    delete: {
      id: 'deleteLecturer',
      summary: 'Delete a lecturer',
      description:
        'For good; the lecturer is taken off the courses. Needs the role owner or admin. The only lecturer of a published ' +
        'course stays, and so does the author of a post.',
      problems: ['resource_in_use', 'forbidden'],
      tool: {
        description:
          'Deletes a lecturer for good and takes them off their courses; the only lecturer of a published course is ' +
          'refused with resource_in_use. Use it for one who has left; update_lecturer hides a lecturer.',
      },
      run: (lecturers, { principal, tx, ...key }) => lecturers.remove(principal, key, tx),
    },
  },
});
