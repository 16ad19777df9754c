import { z } from 'zod';
import { sharedId } from '../platform/global-ids.js';
import { defineCommand } from '../platform/command.js';
import { defineEntityEvents } from '../platform/event.js';
import { instantSchema } from '../platform/instant.js';
import { externalId, idIn, linesOf, occurredAt, studentReferenceSchema } from './command-values.js';

/** Objects that members comment on. */
export const COMMENTABLE_TYPES = ['course', 'lecture', 'post'] as const;
export const COMMENT_STATES = ['pending', 'visible', 'hidden'] as const;
export const COMMENT_ACTIONS = ['approve', 'hide', 'delete'] as const;

export const COMMENT_LIMITS = {
  /** Characters of a comment. */
  body: 5_000,
  /** Replies to one comment. Its deletion deletes them in one transaction. */
  replies: 200,
} as const;

const type = z.enum(COMMENTABLE_TYPES);
const commentReferenceSchema = z.strictObject({ id: idIn });

/** Adds a comment of a student, or a reply to a comment. */
export const postComment = defineCommand({
  service: 'admin-api',
  name: 'school.comment.post.v1',
  input: {
    student: studentReferenceSchema,
    /** Object of the comment, by its id or `external_id`. */
    commentable: z.union([
      z.strictObject({ type, id: sharedId('Post') }),
      z.strictObject({ type, external_id: externalId }),
    ]),
    /** A comment on the same object, which is no reply itself. Null: the comment is no reply. */
    parent: commentReferenceSchema.nullable().default(null),
    body: linesOf(COMMENT_LIMITS.body),
    /** `pending`: a moderator has to approve the comment before members see it. */
    state: z.enum(['visible', 'pending']).default('visible'),
    /** When the student wrote the comment. */
    occurred_at: occurredAt,
  },
  output: z.object({ comment_id: z.uuid(), state: z.enum(COMMENT_STATES), posted_at: instantSchema }),
});

/** Approves or hides a comment, or deletes it with its replies. A repetition changes nothing. */
export const moderateComment = defineCommand({
  service: 'admin-api',
  name: 'school.comment.moderate.v1',
  input: { comment: commentReferenceSchema, action: z.enum(COMMENT_ACTIONS) },
  output: z.object({ comment_id: z.uuid(), state: z.enum([...COMMENT_STATES, 'deleted']) }),
});

/** A comment on an object of the school, or a reply to one. */
export const commentEvents = defineEntityEvents({
  context: 'school',
  entity: 'comment',
  version: 1,
  names: ['created', 'approved', 'hidden', 'deleted', 'linked', 'erased', 'republished'],
  data: z.object({
    comment_id: z.uuid(),
    site_id: z.uuid(),
    commentable: z.object({ type, id: z.uuid() }),
    /** The course, or that of the lecture; null for a post. */
    course_id: z.uuid().nullable(),
    student_id: z.uuid(),
    /** Null for an author who is not linked to a person. */
    author_person_id: z.uuid().nullable(),
    author_name: z.string(),
    /** The parent comment and its author; null for a top-level comment. */
    parent: z.object({ comment_id: z.uuid(), author_person_id: z.uuid().nullable() }).nullable(),
    /** Path of the comment below the site's base URL. */
    path: z.string().startsWith('/'),
    /** The first plain words. */
    excerpt: z.string(),
    state: z.enum([...COMMENT_STATES, 'deleted']),
    posted_at: instantSchema,
  }),
});
