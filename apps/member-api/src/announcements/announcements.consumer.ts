import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { announcementEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isNews } from '#src/notifications/kinds.policy.js';

/** Tells the members what the site has to say to them; its advertising, those who asked for it. */
@Injectable()
export class AnnouncementsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly fanOuts: FanOutsService,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'announcements',
      stream: 'SCHOOL',
      events: [announcementEvents],
      handle: async ({ data }, manager) => {
        if (data.state !== 'sent' || !isNews(data.sent_at, Date.now())) return;
        const { announcement_id, site_id, course_id, purpose, title, body, path } = data;
        await this.fanOuts.tell(manager, {
          ...(course_id === null
            ? { audience: 'site', audience_id: null }
            : { audience: 'course', audience_id: course_id }),
          site_id,
          occasion: `announcement:${announcement_id}`,
          kind: purpose === 'marketing' ? 'offer_sent' : 'announcement_sent',
          title,
          body,
          path,
          subject_id: null,
        });
      },
    });
  }
}
