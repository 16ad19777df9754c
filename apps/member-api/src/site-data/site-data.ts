import { Injectable } from '@nestjs/common';
import { eventType, siteEvents } from '@lyceum/contracts';
import { ConsumesEach, Outbox, SiteEraser } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';

type SiteEvent = EventOf<readonly [typeof siteEvents]>;

const DELETED = eventType(siteEvents, 'deleted');

/** Deletes the rows and events of deleted sites (ADR 120). */
@Injectable()
export class SiteData {
  constructor(
    eraser: SiteEraser,
    private readonly outbox: Outbox,
  ) {
    eraser.register({ keeps: [] });
  }

  @ConsumesEach(siteEvents, 'site-deletions')
  async handle({ type, data }: SiteEvent, tx: EntityManager): Promise<void> {
    if (type === DELETED) await this.outbox.eraseSite(tx, data.site_id);
  }
}
