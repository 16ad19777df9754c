import { Injectable } from '@nestjs/common';
import { isNewerState } from '@lyceum/contracts';
import { PeriodicWork } from '@lyceum/platform';
import { z } from 'zod';
import { EventErasuresRepository } from './event-erasures.repository.js';
import type { EventErasure } from './event-erasures.repository.js';
import { LIMITS } from '../connection/limits.js';
import { MessageEraser } from './message-eraser.js';
import { leaseStep } from './pass-lease.js';

const positionSchema = z.object({ aggregate_id: z.string(), epoch: z.number(), aggregate_version: z.number() });

type Positions = ReadonlyMap<string, Required<EventErasure>>;

/**
 * Deletes events with personal data of removed people from the stream of the service and from its dead letters. A later
 * event of the aggregate replaces them, so no consumer needs them (ADR 74).
 */
@Injectable()
export class EventEraser extends PeriodicWork {
  constructor(
    private readonly erasures: EventErasuresRepository,
    private readonly messages: MessageEraser,
  ) {
    super(LIMITS.erasurePause, 'events could not be erased');
  }

  /**
   * Runs one pass over the streams if an erasure is due. Returns the number of deleted events. A lease takes the place
   * of a transaction, because PostgreSQL ends one that is idle while a long stream is read.
   */
  async run(signal?: AbortSignal): Promise<number> {
    if (!this.messages.connected) return 0;
    const due = await this.erasures.take();
    if (due.length === 0) return 0;
    const positions = new Map(due.map((erasure) => [erasure.aggregate_id, erasure]));
    const step = leaseStep(() => this.erasures.renew(due), signal);
    const deleted = await this.messages.erase((body) => isErased(body, positions), step, subjectsOf(due));
    if (await step()) await this.erasures.passed(due);
    return deleted;
  }
}

/** Undefined if an erasure does not name its subjects. */
function subjectsOf(erasures: readonly EventErasure[]): readonly string[] | undefined {
  const named = erasures.flatMap(({ subjects }) => subjects ?? []);
  return named.length < erasures.length ? undefined : [...new Set(named)];
}

function isErased(body: unknown, positions: Positions): boolean {
  const { data } = positionSchema.safeParse(body);
  const erasure = positions.get(data?.aggregate_id ?? '');
  if (data === undefined || erasure === undefined) return false;
  return isNewerState(erasure, { epoch: data.epoch, version: data.aggregate_version });
}
