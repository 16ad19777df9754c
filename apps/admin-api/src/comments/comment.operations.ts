import { collection } from '@lyceum/collections';
import { beginningOf } from '@lyceum/platform';
import { z } from 'zod';
import { Comment } from './comment.entity.js';
import { comment } from './comment.schema.js';
import { CommentService } from './comment.service.js';

/** Characters of each comment in the list of a tool. Fifty comments then fit into its 60 KB. */
const EXCERPT_LENGTH = 200;

const shownComment = {
  resource: comment,
  personal: true,
  toolItem: [
    'id',
    'commentable_type',
    'commentable_id',
    'student_id',
    'author_name',
    'body',
    'body_truncated',
    'state',
    'replies_count',
    'posted_at',
  ] as const,
  toolMembers: {
    body: {
      schema: z.string().describe(`The first ${EXCERPT_LENGTH} characters`),
      of: ({ body }: Comment) => beginningOf(body, EXCERPT_LENGTH),
    },
    body_truncated: {
      schema: z.boolean().describe('body is truncated'),
      of: ({ body }: Comment) => body.length > EXCERPT_LENGTH,
    },
  },
};

export const commentCollection = collection({
  ...shownComment,
  name: 'comments',
  description: 'Comments of students on courses, lectures and posts, which the storefront posts and moderates.',
  scope: 'comments',
  service: CommentService,
  row: Comment,
  operations: {
    list: {
      id: 'listComments',
      summary: 'List comments',
      description: 'Comments and replies of every state. Teachers see those on own courses; owners and admins see all.',
      tool: {
        description:
          'Lists comments and replies, newest first: all, or those on a course, lecture or post, of a student or in a state. Use ' +
          'it to see what students ask; get_comment has the whole text.',
      },
      run: (comments, { principal, query }) => comments.list(principal, query),
    },
    get: {
      id: 'getComment',
      summary: 'Get a comment',
      description: 'Returns the author, the text and the state.',
      tool: { description: 'Reads one comment with its whole text. Use it with an id from list_comments.' },
      run: (comments, { principal, id }) => comments.get(principal, id),
    },
  },
});

export const commentReplyCollection = collection({
  ...shownComment,
  name: 'replies',
  scope: 'comments',
  service: CommentService,
  row: Comment,
  parent: { name: 'comments', one: 'comment' },
  operations: {
    list: {
      id: 'listCommentReplies',
      summary: 'List the replies to a comment',
      description: 'Replies of every state. A reply has no replies.',
      tool: {
        description: 'Lists the replies to one comment, newest first. Use it to see how a question was answered.',
      },
      run: (comments, { principal, parent_id, query }) => comments.replies(principal, query, { parent_id }),
    },
  },
});
