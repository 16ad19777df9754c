import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { COMMENTABLE_TYPES, COMMENT_STATES, sharedId } from '@lyceum/contracts';
import { idIn, instantOut } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3d1-1a10-7a11-8b22-3c33d44e5501',
  commentable_type: 'lecture',
  commentable_id: '019ab3c0-9e22-7a33-8b44-5c55d66e7701',
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  parent_id: null,
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  author_name: 'Student of Both Sites',
  body: 'At minute four I lose the thread. Does it matter which side I begin with?',
  state: 'visible',
  replies_count: 2,
  posted_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const state = z.enum(COMMENT_STATES);

export const comment = resource('Comment', {
  one: 'comment',
  fields: {
    commentable_type: readOnly(z.enum(COMMENTABLE_TYPES).meta({ description: 'Type of the object of the comment' })),
    commentable_id: readOnly(z.uuid().meta({ description: 'The course, lecture or post' })),
    course_id: readOnly(z.uuid().nullable().meta({ description: 'The course, or that of the lecture; null: a post' })),
    parent_id: readOnly(z.uuid().nullable().meta({ description: 'The comment that this one replies to' })),
    student_id: readOnly(z.uuid().meta({ description: 'The author' })),
    author_name: readOnly(z.string().meta({ description: 'Current name of the author' })),
    body: readOnly(z.string().meta({ description: 'Plain text' })),
    state: readOnly(state.meta({ description: 'pending: a moderator has not approved it yet' })),
    replies_count: readOnly(z.int().min(0).meta({ description: 'Replies of every state' })),
    posted_at: readOnly(instantOut.meta({ description: 'When the student wrote it' })),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    state: state.meta({ description: 'Only comments in this state' }),
    commentable_id: sharedId('Post').meta({ description: 'Only comments on this course, lecture or post' }),
    course_id: idIn.meta({ description: 'Only comments on this course and its lectures' }),
    student_id: idIn.meta({ description: 'Only comments of this student' }),
  },
  examples: { object: EXAMPLE },
});
export type CommentListQuery = ListQueryOf<typeof comment>;
