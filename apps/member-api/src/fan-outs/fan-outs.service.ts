import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FanOutsRepository } from './fan-outs.repository.js';
import type { FanOut } from './fan-out.js';

@Injectable()
export class FanOutsService {
  constructor(private readonly fanOuts: FanOutsRepository) {}

  /** Enqueues a notification to an audience, once per occasion. Delivery starts soon after the transaction commits. */
  async enqueue(tx: EntityManager, fanOut: FanOut): Promise<void> {
    await this.fanOuts.add(tx, fanOut);
  }

  /** Removes a batch of old fan-outs and returns their number. */
  async sweep(size: number): Promise<number> {
    return this.fanOuts.sweep(size);
  }
}
