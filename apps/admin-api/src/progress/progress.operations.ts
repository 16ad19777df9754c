import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { Progress } from './progress.entity.js';
import { progress } from './progress.schema.js';
import { ProgressService } from './progress.service.js';

const OPERATORS = { watched_at: '/watched_at', lecture: '/lecture_id', unknown: 'validation_failed' } as const;

export const progressCollection = collection({
  service: ProgressService,
  row: Progress,
  resource: progress,
  etag: ({ version }) => rowTag(version),
  personal: true,
  name: 'progress',
  scope: 'students',
  parent: { name: 'students', one: 'student' },
  toolItem: ['id', 'course_id', 'lecture_id', 'lecture_title', 'position_seconds', 'watched_at', 'completed_at'],
  operations: {
    list: {
      id: 'listStudentProgress',
      summary: 'List the progress of a student',
      description: 'Where the student stopped in each lecture and when it was completed, the last watched one first.',
      tool: {
        description:
          'Lists where a student stopped in each lecture and which ones are completed, the last watched one first: in all ' +
          'courses, or in one. Use it to see how far a student is; list_enrollments has the completed part of each course.',
      },
      run: (progress, { principal, parent_id, query }) => progress.list(principal, query, { student_id: parent_id }),
    },
    get: {
      id: 'getStudentProgress',
      summary: 'Get the progress of a student in a lecture',
      description: 'Returns where the student stopped, and when the lecture was completed.',
      run: (progress, { principal, parent_id, id }) => progress.get(principal, id, { student_id: parent_id }),
    },
    create: {
      id: 'recordProgress',
      summary: 'Record progress of a student',
      description:
        'Records where the student stopped in a lecture of the course, and whether the lecture is completed. Needs an ' +
        'enrollment that is active now or was at `watched_at`. Records may come in any order: the position is that of the latest `watched_at`, and a lecture ' +
        'that was completed once stays completed. A record that changes nothing returns the progress with 200. Each ' +
        'record updates the `completion_rate` of the enrollment.',
      existing: 'The progress in this lecture, which was recorded before',
      knownBy: ['course_id', 'lecture_id'],
      problems: ['invalid_state'],
      tool: {
        description:
          'Records where a student stopped in a lecture, and whether the lecture is completed. Use it to add what the ' +
          'player did not report; an older position than the recorded one changes nothing.',
      },
      run: (progress, { principal, parent_id, body, tx }) => {
        const { lecture_id, ...step } = body;
        return progress.record(principal, parent_id, { ...step, lecture: { id: lecture_id } }, tx, OPERATORS);
      },
    },
  },
});

/** Progress of all students, by its ids alone. */
export const flatProgressCollection = flatCollection(progressCollection, {
  name: 'progress',
  above: 'student_id',
  aboveText: 'The student who watched',
  create: { id: 'recordStudentProgress', summary: 'Record progress of the student that the body names' },
});
