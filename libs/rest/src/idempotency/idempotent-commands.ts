import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeyedWork } from './keyed-work.js';
import { requestHash } from './write.js';

/** A command of a program, as its key is bound to it. */
export interface KeyedCommand {
  readonly site_id: string;
  /** Which command: the same key of another one is another key. */
  readonly name: string;
  readonly key: string;
  /** What is asked: the same key with other content is refused. */
  readonly content: object;
}

/**
 * Runs a command in one transaction, once for its key. A refusal is not remembered: the key names what happened, and the
 * sender repeats it until what was missing is there.
 */
@Injectable()
export class IdempotentCommands {
  constructor(private readonly work: KeyedWork) {}

  /** The result: of this run, or of the first one with the key. */
  async run(
    { site_id, name, key, content }: KeyedCommand,
    work: (tx: EntityManager) => Promise<object>,
  ): Promise<unknown> {
    const id = hash('sha256', JSON.stringify([site_id, 'command', name, key]), 'buffer');
    const { ending } = await this.work.run({ id, site_id, requestHash: requestHash(content) }, work);
    return ending;
  }
}
