import { collection } from '@lyceum/collections';
import { beginningOf } from '@lyceum/platform';
import { z } from 'zod';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { FormSubmission } from './form-submission.entity.js';
import { formSubmission } from './form-submission.schema.js';
import { FormSubmissionService } from './form-submission.service.js';

/** Characters of the answers of each submission in the list of a tool. Fifty submissions then fit into its 60 KB. */
const EXCERPT_LENGTH = 250;

export const shownSubmission = { resource: formSubmission, personal: true };

const textOf = ({ answers }: FormSubmission): string =>
  Object.entries(answers)
    .map(([key, answer]) => `${key}: ${[answer].flat().join(', ')}`)
    .join('\n');

export const formSubmissionCollection = collection({
  ...shownSubmission,
  name: 'submissions',
  scope: 'forms',
  service: FormSubmissionService,
  row: FormSubmission,
  parent: { name: 'forms', one: 'form' },
  toolItem: ['id', 'student_id', 'text', 'text_truncated', 'submitted_at'],
  toolMembers: {
    text: {
      schema: z.string().describe(`The first ${EXCERPT_LENGTH} characters of the answers, one in a line`),
      of: (row) => beginningOf(textOf(row), EXCERPT_LENGTH),
    },
    text_truncated: {
      schema: z.boolean().describe('text is truncated'),
      of: (row) => textOf(row).length > EXCERPT_LENGTH,
    },
  },
  operations: {
    list: {
      id: 'listFormSubmissions',
      summary: 'List the submissions of a form',
      description:
        'Submissions of visitors and students, the newest first. Needs the role owner or admin. An export of the ' +
        'collection `form_submissions` has all of them as a file.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists what was submitted in one form, newest first, for owners and admins. Use it to read answers; an export has ' +
          'long ones whole.',
      },
      run: (submissions, { principal, parent_id, query }) => submissions.list(principal, query, { form_id: parent_id }),
    },
    get: {
      id: 'getFormSubmission',
      summary: 'Get a submission of a form',
      description: 'Returns the answers. Needs the role owner or admin.',
      problems: ['forbidden'],
      run: (submissions, { principal, parent_id, id }) => submissions.get(principal, id, { form_id: parent_id }),
    },
  },
});

/** Submissions of all forms, by their ids alone. */
export const flatFormSubmissionCollection = flatCollection(formSubmissionCollection, {
  name: 'form_submissions',
  above: 'form_id',
  aboveText: 'The form',
});
