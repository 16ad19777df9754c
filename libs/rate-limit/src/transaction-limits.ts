import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { keyOf, storedKey } from './limit.js';
import type { Limit } from './limit.js';
import { RateWindowsRepository } from './rate-windows.repository.js';

/**
 * Limits of what a transaction does. It takes the unit itself, so a rollback returns it, and no second connection is
 * needed. Each unit costs a statement, so `RateLimiter` is for the limits of requests.
 */
@Injectable()
export class TransactionLimits {
  constructor(private readonly windows: RateWindowsRepository) {}

  /**
   * Takes a unit of the window of the subject. Other transactions that take one wait for the end of this one. Returns
   * undefined if it was taken, otherwise the whole seconds until the window ends, at least 1.
   */
  async secondsToWait(tx: EntityManager, limit: Limit, subject: string): Promise<number | undefined> {
    const { hits, windowSeconds } = limit;
    const key = storedKey(keyOf(limit, subject));
    const { granted, msLeft } = await this.windows.take(tx, { key, needed: 1, limit: hits, windowSeconds });
    return granted > 0 ? undefined : Math.max(1, Math.ceil(msLeft / 1_000));
  }
}
