import { commentEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import type { World } from './world.js';

interface Reply {
  readonly site_id: string;
  /** The member whose comment is answered. */
  readonly to: string;
  readonly author_name: string;
  readonly path: string;
  readonly excerpt: string;
}

/** Publishes a reply to a comment of a member. */
export async function newReply(world: World, { site_id, to, ...reply }: Reply): Promise<void> {
  const comment_id = uuidv7();
  await world.entity(commentEvents, comment_id, site_id, {
    comment_id,
    site_id,
    commentable: { type: 'course', id: uuidv7() },
    course_id: null,
    student_id: uuidv7(),
    author_person_id: null,
    parent: { comment_id: uuidv7(), author_person_id: to },
    state: 'visible',
    posted_at: new Date().toISOString(),
    ...reply,
  });
}
