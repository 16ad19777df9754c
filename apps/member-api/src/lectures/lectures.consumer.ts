import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { lectureEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isNews } from '#src/notifications/kinds.policy.js';

/** Tells those who take a course of its new lectures. Nothing of a lecture is kept. */
@Injectable()
export class LecturesConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly fanOuts: FanOutsService,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'lectures',
      stream: 'SCHOOL',
      events: [lectureEvents],
      handle: async ({ data: { lecture_id, site_id, course_id, title, state, published_at } }, manager) => {
        if (state !== 'published' || !isNews(published_at, Date.now())) return;
        await this.fanOuts.tell(manager, {
          audience: 'course',
          audience_id: course_id,
          site_id,
          occasion: `lecture:${lecture_id}`,
          kind: 'lecture_published',
          title: `New lecture: ${title}`,
          body: null,
          path: null,
          subject_id: null,
        });
      },
    });
  }
}
