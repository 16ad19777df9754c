import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { postEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isNews } from '#src/notifications/kinds.policy.js';
import { PostsRepository } from './posts.repository.js';
import type { PostEvent } from './posts.repository.js';

/** Copies posts, and tells the members of the course, or of the site, of a new one. */
@Injectable()
export class PostsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly posts: PostsRepository,
    private readonly fanOuts: FanOutsService,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'posts',
      stream: 'SCHOOL',
      events: [postEvents],
      handleAll: async (events, manager) => {
        await this.posts.apply(manager, events);
        for (const { data } of events) await this.#tell(manager, data);
      },
    });
  }

  async #tell(manager: EntityManager, post: PostEvent['data']): Promise<void> {
    if (post.state !== 'published' || !isNews(post.published_at, Date.now())) return;
    const { post_id, site_id, course_id, slug, title, excerpt: body } = post;
    await this.fanOuts.tell(manager, {
      ...(course_id === null
        ? { audience: 'site', audience_id: null, kind: 'post_published' }
        : { audience: 'course', audience_id: course_id, kind: 'course_post_published' }),
      site_id,
      occasion: `post:${post_id}`,
      title,
      body,
      path: `/posts/${slug}`,
      subject_id: post_id,
    });
  }
}
