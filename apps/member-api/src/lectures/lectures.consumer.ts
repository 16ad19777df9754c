import { Injectable } from '@nestjs/common';
import { lectureEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isRecent } from '#src/notifications/kinds.policy.js';

type LectureEvent = EventOf<[typeof lectureEvents]>;

/** Notifies the members enrolled in a course of its new lectures. Lectures are not stored. */
@Injectable()
export class LecturesConsumer {
  constructor(private readonly fanOuts: FanOutsService) {}

  @ConsumesEach(lectureEvents, 'lectures')
  async announce({ data }: LectureEvent, tx: EntityManager): Promise<void> {
    const { lecture_id, site_id, course_id, title, state, published_at } = data;
    if (state !== 'published' || !isRecent(published_at, Date.now())) return;
    await this.fanOuts.enqueue(tx, {
      audience: 'course',
      audience_id: course_id,
      site_id,
      occasion: `lecture:${lecture_id}`,
      kind: 'lecture_published',
      parameters: { lecture: title },
      path: null,
      subject_id: null,
    });
  }
}
