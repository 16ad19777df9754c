import { PeriodicWork } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { PostService } from './post.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Publishes scheduled posts within about half a minute of their dates. Every replica runs it; others find no rows. */
@Injectable()
export class PostClock extends PeriodicWork {
  constructor(private readonly posts: PostService) {
    super(PERIOD_MS, 'Posts did not follow the clock');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.posts.followClock(BATCH)) === BATCH);
  }
}
