import { Injectable } from '@nestjs/common';
import { postEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { PostsRepository } from './posts.repository.js';

/** The posts, as the school says. */
@Injectable()
export class PostsCopy implements Copy {
  readonly name = 'posts';
  readonly parts: Copy['parts'];

  constructor(posts: PostsRepository) {
    this.parts = [
      copyPart({
        reader: 'posts',
        stream: 'SCHOOL',
        events: postEvents,
        table: 'post',
        apply: (events, manager) => posts.apply(manager, events),
      }),
    ];
  }
}
