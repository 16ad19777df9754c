import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isRecent } from '#src/notifications/kinds.policy.js';
import { reportsChange } from '#src/notifications/state-changes.js';
import { PostsRepository } from './posts.repository.js';
import type { PostEvent } from './posts.repository.js';

/** Announces a new post to the members of its course or of the site who may read it. */
@Injectable()
export class PostsConsumer {
  constructor(
    private readonly posts: PostsRepository,
    private readonly fanOuts: FanOutsService,
  ) {}

  @Wraps(PostsRepository, 'apply')
  async applyAndAnnounce(events: readonly PostEvent[], tx: EntityManager): Promise<void> {
    await this.posts.apply(events, tx);
    const ids = events.map(({ data }) => data.post_id);
    const published = await this.posts.published(ids, tx);
    const retracted = events.filter(({ data }) => !published.has(data.post_id));
    const keys = retracted.map(({ data }) => keyOf(data));
    await this.fanOuts.withdraw(tx, keys);
    const reported = events.filter((event) => published.has(event.data.post_id) && reportsChange(event));
    for (const { data } of reported) await this.#announce(data, tx);
  }

  async #announce(post: PostEvent['data'], tx: EntityManager): Promise<void> {
    if (post.state !== 'published' || !isRecent(post.published_at, Date.now())) return;
    const { post_id, slug, title, excerpt } = post;
    await this.fanOuts.enqueue(tx, {
      ...audienceOf(post),
      ...keyOf(post),
      parameters: { title, excerpt },
      path: `/posts/${slug}`,
      subject_id: post_id,
    });
  }
}

const keyOf = ({ site_id, post_id }: PostEvent['data']) => ({ site_id, occasion: `post:${post_id}` });

/** The members who may read the post. Those enrolled in the course may read a paid post of the course. */
function audienceOf({ course_id, access_type }: PostEvent['data']) {
  if (course_id !== null) {
    return { audience: 'course', audience_id: course_id, kind: 'course_post_published' } as const;
  }
  const audience = access_type === 'paid' ? 'paying_members' : 'site';
  return { audience, audience_id: null, kind: 'post_published' } as const;
}
