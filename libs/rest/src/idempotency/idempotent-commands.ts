import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IdempotencyRunner } from './idempotency-runner.js';
import { requestHash } from './write.js';

/** A command of a program, as its key is bound to it. */
export interface KeyedCommand {
  readonly site_id: string;
  /** Name of the command. Keys of different commands are independent. */
  readonly name: string;
  readonly key: string;
  /** Content of the request. The same key with other content is refused. */
  readonly content: object;
}

/**
 * Runs a command in one transaction, once for its key. Refusals are not stored, because the sender repeats a refused
 * command until its objects exist.
 */
@Injectable()
export class IdempotentCommands {
  constructor(private readonly work: IdempotencyRunner) {}

  /** Returns the result of this run, or of the first run with the key. @throws ApiError if the content differs */
  async run(
    { site_id, name, key, content }: KeyedCommand,
    work: (tx: EntityManager) => Promise<object>,
  ): Promise<unknown> {
    const id = hash('sha256', JSON.stringify([site_id, 'command', name, key]), 'buffer');
    const { ending } = await this.work.run({ id, site_id, requestHash: requestHash(content) }, work);
    return ending;
  }
}
