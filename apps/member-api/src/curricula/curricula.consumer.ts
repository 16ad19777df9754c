import { Injectable } from '@nestjs/common';
import { curriculumEvents, eventType } from '@lyceum/contracts';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isRecent } from '#src/notifications/kinds.policy.js';
import { CurriculaRepository } from './curricula.repository.js';
import type { CurriculumEvent } from './curriculum-pieces.policy.js';

const PUBLISHED = eventType(curriculumEvents, 'lecture_published');

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
    for (const event of events) await this.#announce(event, tx);
  }

  /** Whether the lecture is new to members is known at the delivery: the event of its course may be late. */
  async #announce({ type, occurred_at, data }: CurriculumEvent, tx: EntityManager): Promise<void> {
    const { site_id, course_id, part_id, sections } = data;
    if (part_id === null) return;
    const occasion = `lecture:${part_id}`;
    const lectures = sections.flatMap(({ lectures: some }) => some);
    const lecture = lectures.find(({ lecture_id }) => lecture_id === part_id);
    if (lecture?.state !== 'published') return this.fanOuts.withdraw(tx, [{ site_id, occasion }]);
    if (!isRecent(lecture.published_at, Date.now())) return;
    await this.fanOuts.enqueue(tx, {
      audience: 'course',
      audience_id: course_id,
      site_id,
      occasion,
      kind: 'lecture_published',
      parameters: { lecture: lecture.title },
      path: null,
      subject_id: null,
      // A lecture that is published again keeps its first publication.
      published_at: type === PUBLISHED ? occurred_at : lecture.published_at,
    });
  }
}
