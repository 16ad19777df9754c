import { Collection, Create, Delete, Get, List, Update, Upsert } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { urlOf, urlVersions } from '#src/urls/object-url.js';
import type { Lecturer } from './lecturer.entity.js';
import { lecturer } from './lecturer.schema.js';
import type { LecturerCreate, LecturerListQuery, LecturerPatch } from './lecturer.schema.js';
import { LecturerService } from './lecturer.service.js';

@Collection<Lecturer>({
  name: 'lecturers',
  description: 'People who teach, as the site shows them.',
  resource: lecturer,
  view: { url: urlOf },
  etag: (row) => rowTag(row.version, ...urlVersions(row)),
  personal: true,
  toolItem: ['id', 'slug', 'name', 'email', 'member_id', 'position', 'visible', 'updated_at'],
})
@Injectable()
export class LecturerOperations {
  constructor(private readonly lecturers: LecturerService) {}

  @List('listLecturers', {
    summary: 'List lecturers',
    description: 'Returns visible and hidden lecturers of the site, without their biographies.',
    tool: {
      description:
        'Lists the lecturers of this site for its operators, hidden ones included, newest first, with their email ' +
        'addresses. Use it to manage lecturers; browse_lecturers shows the lecturers that visitors see.',
    },
  })
  list({ principal, query }: ListRequest<LecturerListQuery>): Promise<Page<Lecturer>> {
    return this.lecturers.list(principal, query);
  }

  @Get('getLecturer', {
    summary: 'Get a lecturer',
    description: 'Returns the lecturer with the biography.',
    tool: {
      description:
        'Reads one lecturer with title, links and biography. Use it when you know the id from list_lecturers.',
    },
  })
  get({ principal, id }: ObjectRequest): Promise<Lecturer> {
    return this.lecturers.get(principal, id);
  }

  @Create('createLecturer', {
    summary: 'Add a lecturer',
    description:
      'The new lecturer is hidden unless `visible` says otherwise. Needs the role owner or admin. Without `member_id`, ' +
      'the member with a teaching role and this `email` is linked.',
    problems: ['already_exists', 'forbidden'],
    tool: {
      description:
        'Adds a lecturer, hidden unless visible is true. Use it before update_course names who teaches a course, for ' +
        'owners and admins.',
    },
  })
  create({ principal, body, tx }: CreateRequest<LecturerCreate>): Promise<Created<Lecturer>> {
    return this.lecturers.create(principal, body, tx);
  }

  @Upsert('putLecturer', {
    summary: 'Add or change a lecturer',
    description: 'Adds the lecturer of the `external_id`, or changes the fields that the body names.',
    problems: ['already_exists', 'forbidden'],
  })
  put(request: UpsertRequest<LecturerCreate, LecturerPatch>): Promise<Created<Lecturer>> {
    return this.lecturers.upsert(request);
  }

  @Update('updateLecturer', {
    summary: 'Change a lecturer',
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
  })
  update({ principal, body, tx, ...key }: ChangeRequest<LecturerPatch>): Promise<Written<Lecturer>> {
    return this.lecturers.patch(principal, key, body, tx);
  }

  @Delete('deleteLecturer', {
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
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<Lecturer>> {
    return this.lecturers.remove(principal, key, tx);
  }
}
