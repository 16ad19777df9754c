import type { Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { api } from './convention-target.js';
import { TEACHER, course } from './course-cases.js';
import { student } from './student-body.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';

/** Inserts a comment. Returns its id. */
async function newComment(unique: string, other: CreateOther): Promise<string> {
  const { course_id, student_id } = await row(unique, other);
  const [made] = await api.query<{ id: string }>(
    `insert into comments (site_id, commentable_type, commentable_id, course_id, student_id, body, state, posted_at)
     select site_id, 'course', id, id, $2, 'Text', 'visible', now() from courses where id = $1 returning id`,
    [course_id, student_id],
  );
  return made?.id ?? '';
}

async function row(unique: string, other: CreateOther, parent_id?: string): Promise<Json> {
  const { id: student_id } = await other('/api/v1/students', student(unique));
  const { id: course_id } = await other('/api/v1/courses', course(unique));
  const commentable = { commentable_type: 'course', commentable_id: course_id, course_id };
  return { ...commentable, parent_id, student_id, body: 'Text', state: 'visible', posted_at: new Date().toISOString() };
}

/** Programs post comments, so the operator API has no creation. */
const comments: Cases = {
  row: (unique, other) => row(unique, other),
  readOnly: [],
  filters: {
    state: [({ state }) => state, 'pending'],
    commentable_id: [({ commentable_id }) => commentable_id, NONE],
    course_id: [({ course_id }) => course_id, NONE],
    student_id: [({ student_id }) => student_id, NONE],
  },
  personal: true,
  fenced: TEACHER,
};

const replies: Cases = {
  ...comments,
  row,
  table: 'comments',
  parent: { collection: 'comments', make: newComment },
  scopes: { 'GET /api/v1/comments/{comment_id}/replies': 'comments:read' },
};

/** Facts of comments. */
export const commentCases: Readonly<Record<string, Cases>> = {
  comments,
  'comments/replies': replies,
};
