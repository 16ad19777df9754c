import { Injectable } from '@nestjs/common';
import { announcementEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isRecent } from '#src/notifications/kinds.policy.js';
import { reportsChange } from '#src/notifications/state-changes.js';
import { occasionOf } from './announcement-deliveries.service.js';

type AnnouncementEvent = EventOf<[typeof announcementEvents]>;

/** Sends announcements of a site to its members, and advertising to the members who subscribed to it. */
@Injectable()
export class AnnouncementsConsumer {
  constructor(private readonly fanOuts: FanOutsService) {}

  @ConsumesEach(announcementEvents, 'announcements')
  async announce({ type, data }: AnnouncementEvent, tx: EntityManager): Promise<void> {
    if (!isUndelivered(type, data) || data.state !== 'sent' || !isRecent(data.sent_at, Date.now())) return;
    const { announcement_id, site_id, purpose, title, body, path } = data;
    await this.fanOuts.enqueue(tx, {
      ...audienceOf(data),
      site_id,
      occasion: occasionOf(announcement_id),
      kind: purpose === 'marketing' ? 'offer_sent' : 'announcement_sent',
      parameters: { title, body },
      path,
      subject_id: null,
    });
  }
}

/**
 * NATS may have lost the event of an announcement. So a republished one without recipients is delivered; the fan-out of
 * an announcement that was delivered before exists, and prevents a second one.
 */
function isUndelivered(type: string, { recipients_count }: AnnouncementEvent['data']): boolean {
  return reportsChange({ type }) || recipients_count === null;
}

function audienceOf({ course_id, membership_plan_id }: AnnouncementEvent['data']) {
  if (course_id !== null) return { audience: 'course', audience_id: course_id } as const;
  if (membership_plan_id !== null) return { audience: 'membership_plan', audience_id: membership_plan_id } as const;
  return { audience: 'site', audience_id: null } as const;
}
