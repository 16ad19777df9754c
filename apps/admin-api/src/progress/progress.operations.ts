import { Collection, Create, Get, List } from '@lyceum/collections';
import type { CreateRequest, Created, ListRequest, ObjectRequest, OfParent } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Progress } from './progress.entity.js';
import { progress } from './progress.schema.js';
import type { ProgressCreate, ProgressListQuery } from './progress.schema.js';
import { ProgressService } from './progress.service.js';

@Collection<Progress>({
  resource: progress,
  etag: ({ version }) => rowTag(version),
  personal: true,
  name: 'progress',
  scope: 'students',
  parent: { name: 'students', one: 'student' },
  toolItem: ['id', 'course_id', 'lecture_id', 'lecture_title', 'position_seconds', 'watched_at'],
})
@Injectable()
export class ProgressOperations {
  constructor(private readonly progress: ProgressService) {}

  @List('listStudentProgress', {
    summary: 'List the progress of a student',
    description: 'Where the student stopped in each lecture, the last one first.',
    tool: {
      description:
        'Lists where a student stopped in each lecture, the last one first: in all courses, or in one. Use it to see ' +
        'how far a student is; list_enrollments has the part of each course that is completed.',
    },
  })
  list({ principal, parent_id, query }: ListRequest<ProgressListQuery> & OfParent): Promise<Page<Progress>> {
    return this.progress.list(principal, query, { student_id: parent_id });
  }

  @Get('getStudentProgress', {
    summary: 'Get the progress of a student in a lecture',
    description: 'Returns where the student stopped.',
  })
  get({ principal, parent_id, id }: ObjectRequest & OfParent): Promise<Progress> {
    return this.progress.get(principal, id, { student_id: parent_id });
  }

  @Create('recordProgress', {
    summary: 'Record progress of a student',
    description:
      'Records where the student stopped in a lecture, and how much of the course is completed. Needs an active ' +
      'enrollment. Progress that is older than what is recorded changes nothing, and the recorded one is returned with ' +
      '200. A course that was completed once keeps its `completed_at`.',
    existing: 'The progress in this lecture, which was recorded before',
    knownBy: ['course_id', 'lecture_id'],
    problems: ['invalid_state'],
    tool: {
      description:
        'Records where a student stopped in a lecture, and how much of the course is completed. Use it to add what the ' +
        'player did not report; older progress than what is recorded changes nothing.',
    },
  })
  create({ principal, parent_id, body, tx }: CreateRequest<ProgressCreate> & OfParent): Promise<Created<Progress>> {
    return this.progress.record(principal, parent_id, body, tx);
  }
}
