import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Student } from './student.entity.js';
import { student, studentRestore } from './student.schema.js';
import { StudentService } from './student.service.js';

export const studentCollection = collection({
  name: 'students',
  description: 'Students of the site and their enrollments.',
  scope: 'students',
  service: StudentService,
  row: Student,
  resource: student,
  // The link to the person is shown and is no edit: like a counter, it makes a reader's copy stale, not an editor's.
  etag: ({ revision, enrollments_count, member_id, last_seen_at }) =>
    rowTag(revision, enrollments_count, Number(member_id !== null), last_seen_at?.getTime() ?? 0),
  personal: true,
  toolItem: ['id', 'email', 'name', 'state', 'enrollments_count', 'created_at'],
  operations: {
    list: {
      id: 'listStudents',
      summary: 'List students',
      description: 'Students of the site, also those whom it has removed.',
      tool: {
        core: true,
        description:
          'Lists the students of this site, newest first: all, or those whose name or e-mail address has all given ' +
          'words. Use it to find a student.',
      },
      run: (students, { principal, query }) => students.list(principal, query),
    },
    get: {
      id: 'getStudent',
      summary: 'Get a student',
      description: 'Returns the profile, as the site has it, and the number of live enrollments.',
      tool: {
        core: true,
        description:
          'Reads the profile of one student of this site. Use it with an id from list_students; list_enrollments shows ' +
          'their courses.',
      },
      run: (students, { principal, id }) => students.get(principal, id),
    },
    create: {
      id: 'createStudent',
      summary: 'Create a student',
      description: 'No mail is sent unless `send_welcome_email` asks for it. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden'],
      run: (students, { principal, body, tx }) => students.create(principal, body, tx),
    },
    bulk: {
      id: 'createStudents',
      summary: 'Create students',
      description:
        'Adds up to 200 students: all of them or none with `atomic`, else each by itself. No mail is sent unless ' +
        '`send_welcome_email` of an item asks for it. Needs the role owner or admin.',
      problems: ['forbidden'],
      body: student.create,
      run: (students, { principal, body, tx }) => students.createAll(principal, body, tx),
    },
    upsert: {
      id: 'putStudent',
      summary: 'Create or update a student',
      description:
        'Adds the student of the `external_id`, or changes the fields that the body names. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      run: (students, request) => students.upsert(request),
    },
    update: {
      id: 'updateStudent',
      summary: 'Update a student',
      response: 'The student as they are now',
      description:
        'JSON Merge Patch (RFC 7396). Another `email` ends the link to the person: `member_id` is null until the person ' +
        'of the new address is linked. The account of the person of the old address stays, without this student. A ' +
        'student whose personal data was erased gets no other `email`.',
      problems: ['already_exists', 'invalid_state'],
      tool: {
        description:
          'Changes the name, e-mail address, phone number, tags or other fields of a student: absent fields stay, null ' +
          'clears. Use it to correct or tag a student; update_enrollment changes the access to a course.',
      },
      run: (students, { principal, body, tx, ...key }) => students.patch(principal, key, body, tx),
    },
    actions: {
      restore: {
        id: 'restoreStudent',
        summary: 'Restore a student',
        description:
          'A student who was removed is active again. For an active student nothing changes. A student whose personal data ' +
          'was erased is refused.',
        body: studentRestore,
        problems: ['invalid_state'],
        run: (students, { principal, body, tx, ...key }) => students.restore(principal, key, body, tx),
      },
      resend_invitation: {
        id: 'resendStudentInvitation',
        summary: 'Resend the invitation of a student',
        response: 'The student',
        description:
          'Mails the invitation again, with a new link if the student has no password; older links end. A student who has ' +
          'signed in at this site, or is suspended or removed, is refused. At most 3 times an hour for one student.',
        repeats: true,
        problems: ['invalid_state'],
        tool: {
          description:
            'Mails the invitation of a student again, at most 3 times an hour. Use it when a student has not received the ' +
            'mail or the link has expired; each call mails it, unless it has the idempotency_key of an earlier one; ' +
            'students who have signed in are refused.',
        },
        run: (students, { principal, write, tx, ...key }) =>
          students.resendInvitation(principal, { ...key, dry_run: write.dryRun }, tx),
      },
    },
    delete: {
      id: 'deleteStudent',
      summary: 'Delete a student',
      description:
        'Deletes a student without history, such as one who was added by mistake, and takes the role from the account. ' +
        'A student who has or had enrollments, orders, subscriptions, purchases or registrations, or has written ' +
        'something, is refused: remove the member in place of that, which erases the personal data. Needs the role owner ' +
        'or admin.',
      problems: ['forbidden', 'resource_in_use'],
      tool: {
        description:
          'Deletes a student without enrollments, orders or other history. Use it for a student who was added by ' +
          'mistake; remove_member erases the data of a person who leaves.',
      },
      run: (students, { principal, tx, ...key }) => students.remove(principal, key, tx),
    },
  },
});
