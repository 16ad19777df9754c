import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isRecent } from '#src/notifications/kinds.policy.js';
import { CurriculaRepository } from './curricula.repository.js';
import type { CurriculumEvent } from './curriculum-pieces.policy.js';
import { changedPart, newLectures } from './new-lectures.policy.js';
import type { ChangedPart } from './new-lectures.policy.js';

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
    const parts = events.flatMap(changedPart);
    const retracted = parts.filter(({ lecture }) => lecture === undefined);
    await this.fanOuts.withdraw(tx, retracted);
    for (const part of newLectures(parts)) await this.#announce(part, tx);
  }

  /** Whether the lecture is new to members is known at the delivery: the event of its course may be late. */
  async #announce(
    { site_id, course_id, occasion, lecture, published_at, opens_at }: ChangedPart,
    tx: EntityManager,
  ): Promise<void> {
    if (lecture === undefined || !isRecent(lecture.published_at, Date.now())) return;
    await this.fanOuts.enqueue(tx, {
      audience: 'course',
      audience_id: course_id,
      site_id,
      occasion,
      kind: 'lecture_published',
      parameters: { lecture: lecture.title },
      path: null,
      subject_id: null,
      published_at,
      opens_at,
    });
  }
}
