import { Injectable } from '@nestjs/common';
import { curriculumEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isRecent } from '#src/notifications/kinds.policy.js';

type CurriculumEvent = EventOf<[typeof curriculumEvents]>;

/** Notifies the members enrolled in a course of its new lectures. */
@Injectable()
export class LecturesConsumer {
  constructor(private readonly fanOuts: FanOutsService) {}

  @ConsumesEach(curriculumEvents, 'lectures')
  async announce(
    { data: { site_id, course_id, part_id, sections } }: CurriculumEvent,
    tx: EntityManager,
  ): Promise<void> {
    const lectures = sections.flatMap(({ lectures: some }) => some);
    const lecture = lectures.find(({ lecture_id }) => lecture_id === part_id);
    if (lecture === undefined || lecture.state !== 'published') return;
    if (!isRecent(lecture.published_at, Date.now())) return;
    await this.fanOuts.enqueue(tx, {
      audience: 'course',
      audience_id: course_id,
      site_id,
      occasion: `lecture:${lecture.lecture_id}`,
      kind: 'lecture_published',
      parameters: { lecture: lecture.title },
      path: null,
      subject_id: null,
    });
  }
}
