import { announcementDeliveryEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AnnouncementService } from './announcement.service.js';

type DeliveryEvent = EventOf<readonly [typeof announcementDeliveryEvents]>;

/** Records how many people an announcement reached. member-api sends announcements, so it counts them. */
@Injectable()
export class AnnouncementDeliveryConsumer {
  constructor(private readonly announcements: AnnouncementService) {}

  @ConsumesEach(announcementDeliveryEvents, 'announcement-deliveries')
  async handle({ data }: DeliveryEvent, tx: EntityManager): Promise<void> {
    const { site_id, announcement_id: id, recipients_count } = data;
    await this.announcements.recordRecipients(tx, { site_id, id, recipients_count });
  }
}
