import { PeriodicTask, RunsInBackground } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PostService } from './post.service.js';

const PERIOD_MS = 30_000;
const BATCH = 100;

/** Publishes scheduled posts within about half a minute of their dates. Every replica runs it; others find no rows. */
@RunsInBackground()
@Injectable()
export class PostClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger(PostClock.name);
  readonly #turns = new PeriodicTask(
    PERIOD_MS,
    (signal) => this.#run(signal),
    (error) => this.#log.warn(`Posts did not follow the clock: ${String(error)}`),
  );

  constructor(private readonly posts: PostService) {}

  onApplicationBootstrap(): void {
    this.#turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#turns.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.posts.followClock(BATCH)) === BATCH);
  }
}
