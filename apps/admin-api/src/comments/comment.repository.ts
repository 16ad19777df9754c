import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Comment } from './comment.entity.js';

type CommentKey = Pick<Comment, 'site_id' | 'id'>;

const STUDENT = 'students s where s.site_id = comments.site_id and s.id = comments.student_id';

/** SQL of what lists do not show, by property. */
export const EVENT_PARTS = {
  author_person_id: `(select s.person_id from ${STUDENT})`,
  parent_person_id: `(select s.person_id from comments p join students s on s.site_id = p.site_id and s.id = p.student_id
    where p.site_id = comments.site_id and p.id = comments.parent_id)`,
  path: `case commentable_type
    when 'post' then '/posts/' || (select p.slug from posts p where p.site_id = comments.site_id and p.id = commentable_id)
    else '/courses/' || (select c.slug from courses c where c.site_id = comments.site_id and c.id = comments.course_id) end`,
};

/** SQL of the computed properties of a comment. */
export const COMMENT_PARTS = { author_name: `(select s.name from ${STUDENT})`, ...EVENT_PARTS };

const SELECT = `select comments.*, ${Object.entries(COMMENT_PARTS)
  .map(([property, sql]) => `${sql} as ${property}`)
  .join(', ')} from comments`;

/** Each statement locks comments in the order of their ids, and so parents before their replies. */
@Injectable()
export class CommentRepository {
  /** Adds to the number of replies of a locked comment. Its version stays. */
  async count(tx: EntityManager, { site_id, id }: CommentKey, by: 1 | -1): Promise<void> {
    const text = 'update comments set replies_count = replies_count + $3 where site_id = $1 and id = $2';
    await tx.query(text, [site_id, id, by]);
  }

  /** Deletes the replies to a locked comment, and returns them. */
  async removeReplies(tx: EntityManager, { site_id, id }: CommentKey): Promise<Comment[]> {
    const text = `${SELECT} where site_id = $1 and parent_id = $2 order by id for no key update`;
    const replies = await tx.query<Comment[]>(text, [site_id, id]);
    if (replies.length > 0) await tx.query('delete from comments where site_id = $1 and parent_id = $2', [site_id, id]);
    return replies;
  }

  /**
   * Increments the version of all comments of a student, so consumers accept their next events. `updated_at` stays,
   * unless the shown name of the author is erased.
   */
  async touchAll(tx: EntityManager, { site_id, id }: CommentKey, erases: boolean) {
    const of = 'from comments where site_id = $1 and student_id = $2 order by id';
    const locked = await tx.query<unknown[]>(`select 1 ${of} for no key update`, [site_id, id]);
    if (locked.length === 0) return [];
    await tx.query(
      `update comments set version = version + 1, updated_at = case when $3 then now() else updated_at end
       where site_id = $1 and student_id = $2`,
      [site_id, id, erases],
    );
    return tx.query<Comment[]>(`${SELECT} where site_id = $1 and student_id = $2 order by id`, [site_id, id]);
  }
}
