import { Injectable } from '@nestjs/common';
import { eventType, siteEvents } from '@lyceum/contracts';
import { PeriodicWork } from '@lyceum/platform';
import { LIMITS } from '../connection/limits.js';
import { MessageEraser } from './message-eraser.js';
import { leaseStep } from './pass-lease.js';
import type { Step } from './pass-lease.js';
import { SiteErasuresRepository } from './site-erasures.repository.js';
import type { SiteErasure } from './site-erasures.repository.js';
import { SiteRowsRepository } from '../site-data/site-rows.repository.js';

/** The part of the data of a site that a service deletes in its own way. */
export interface SiteData {
  /** Tables whose rows stay, because their own retention deletes them. */
  readonly keeps: readonly string[];
  /** Runs in each pass before the rows are deleted. It calls `step` regularly, and ends when that returns false. */
  readonly erase?: (siteId: string, step: Step) => Promise<void>;
}

const DELETED = eventType(siteEvents, 'deleted');

/**
 * Deletes the data of deleted sites: files and other data of the service first, then all rows with the `site_id`, then
 * events in the stream of the service and in its dead letters (ADR 120). Only a service that has registered its data
 * does so.
 */
@Injectable()
export class SiteEraser extends PeriodicWork {
  #data: SiteData | undefined;

  constructor(
    private readonly erasures: SiteErasuresRepository,
    private readonly rows: SiteRowsRepository,
    private readonly messages: MessageEraser,
  ) {
    super(LIMITS.erasurePause, 'the data of a deleted site could not be deleted');
  }

  register(data: SiteData): void {
    if (this.#data !== undefined) throw new Error('The data of sites is registered already');
    this.#data = data;
  }

  /** Runs the passes that are due. A pass that fails is repeated from its beginning. */
  async run(signal?: AbortSignal): Promise<void> {
    const data = this.#data;
    if (data === undefined) return;
    while (signal?.aborted !== true) {
      const erasure = await this.erasures.take();
      if (erasure === undefined) return;
      await this.#pass(erasure, data, signal);
    }
  }

  async #pass(erasure: SiteErasure, { keeps, erase }: SiteData, signal: AbortSignal | undefined): Promise<void> {
    const { site_id } = erasure;
    const step = leaseStep(() => this.erasures.renew(erasure), signal);
    await erase?.(site_id, step);
    const rows = await this.rows.erase(site_id, ['site_erasures', ...keeps], step);
    const events = await this.messages.erase((body) => isOfSite(body, site_id), step);
    if (!(await step())) return;
    await this.erasures.passed(erasure);
    this.logger.log({ msg: 'deleted the data of a deleted site', site_id, pass: erasure.passes + 1, rows, events });
  }
}

/** The event of the deletion stays: services that were down follow it later. */
function isOfSite(body: unknown, siteId: string): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { site_id, type } = body as Readonly<Record<string, unknown>>;
  return site_id === siteId && type !== DELETED;
}
