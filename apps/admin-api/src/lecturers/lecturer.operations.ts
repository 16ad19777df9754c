import { Collection, Get, List } from '@lyceum/collections';
import type { ListRequest, ObjectRequest } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Lecturer } from './lecturer.entity.js';
import { lecturer } from './lecturer.schema.js';
import type { LecturerListQuery } from './lecturer.schema.js';
import { LecturerService } from './lecturer.service.js';

@Collection<Lecturer>({
  name: 'lecturers',
  description: 'People who teach, as the site shows them.',
  resource: lecturer,
  etag: ({ version }) => rowTag(version),
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
}
