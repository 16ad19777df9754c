import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isRecent } from '#src/notifications/kinds.policy.js';
import { CurriculaRepository } from './curricula.repository.js';
import type { CurriculumEvent } from './curriculum-pieces.policy.js';

/** Notifies the members enrolled in a course of its new lectures. */
@Injectable()
export class CurriculaConsumer {
  constructor(
    private readonly curricula: CurriculaRepository,
    private readonly fanOuts: FanOutsService,
  ) {}

  @Wraps(CurriculaRepository, 'apply')
  async applyAndAnnounce(events: readonly CurriculumEvent[], tx: EntityManager): Promise<void> {
    await this.curricula.apply(events, tx);
    for (const { data } of events) await this.#announce(data, tx);
  }

  async #announce(
    { site_id, course_id, part_id, sections }: CurriculumEvent['data'],
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
