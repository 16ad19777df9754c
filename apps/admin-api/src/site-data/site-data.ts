import { eventType, siteEvents } from '@lyceum/contracts';
import { ConsumesEach, Outbox, SiteEraser } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileStorage } from '#src/files/file.storage.js';
import { deleteFiles } from './site-files.js';

type SiteEvent = EventOf<readonly [typeof siteEvents]>;

const DELETED = eventType(siteEvents, 'deleted');

/** Deletes the rows, events and files of deleted sites (ADR 120). */
@Injectable()
export class SiteData {
  constructor(
    eraser: SiteEraser,
    storage: FileStorage,
    private readonly outbox: Outbox,
  ) {
    eraser.register({
      // Both are append-only logs without personal data but ids, and end by their own retention.
      keeps: ['activity', 'changes'],
      erase: (siteId, step) => deleteFiles(storage.store, siteId, step),
    });
  }

  @ConsumesEach(siteEvents, 'site-deletions')
  async handle({ type, data }: SiteEvent, tx: EntityManager): Promise<void> {
    if (type === DELETED) await this.outbox.eraseSite(tx, data.site_id);
  }
}
