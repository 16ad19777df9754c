import { Collection, Get, List } from '@lyceum/collections';
import type { ListRequest, ObjectRequest, OfParent } from '@lyceum/collections';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Comment } from './comment.entity.js';
import { comment } from './comment.schema.js';
import type { CommentListQuery } from './comment.schema.js';
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
  ],
  toolMembers: {
    body: {
      schema: z.string().describe(`The first ${EXCERPT_LENGTH} characters`),
      of: ({ body }: Comment) => body.slice(0, EXCERPT_LENGTH).toWellFormed(),
    },
    body_truncated: {
      schema: z.boolean().describe('body is truncated'),
      of: ({ body }: Comment) => body.length > EXCERPT_LENGTH,
    },
  },
};

@Collection<Comment>({
  ...shownComment,
  name: 'comments',
  description: 'Comments of students on courses, lectures and posts, which the storefront posts and moderates.',
})
@Injectable()
export class CommentOperations {
  constructor(private readonly comments: CommentService) {}

  @List('listComments', {
    summary: 'List comments',
    description: 'Comments and replies of every state. Teachers see those on own courses; owners and admins see all.',
    tool: {
      description:
        'Lists comments and replies, newest first: all, or those on a course, lecture or post, of a student or in a state. Use ' +
        'it to see what students ask; get_comment has the whole text.',
    },
  })
  list({ principal, query }: ListRequest<CommentListQuery>): Promise<Page<Comment>> {
    return this.comments.list(principal, query);
  }

  @Get('getComment', {
    summary: 'Get a comment',
    description: 'Returns the author, the text and the state.',
    tool: { description: 'Reads one comment with its whole text. Use it with an id from list_comments.' },
  })
  get({ principal, id }: ObjectRequest): Promise<Comment> {
    return this.comments.get(principal, id);
  }
}

@Collection<Comment>({
  ...shownComment,
  name: 'replies',
  scope: 'comments',
  parent: { name: 'comments', one: 'comment' },
})
@Injectable()
export class CommentReplyOperations {
  constructor(private readonly comments: CommentService) {}

  @List('listCommentReplies', {
    summary: 'List the replies to a comment',
    description: 'Replies of every state. A reply has no replies.',
    tool: { description: 'Lists the replies to one comment, newest first. Use it to see how a question was answered.' },
  })
  list({ principal, parent_id, query }: ListRequest<CommentListQuery> & OfParent): Promise<Page<Comment>> {
    return this.comments.replies(principal, query, { parent_id });
  }
}
