import { Injectable } from '@nestjs/common';
import { progressEvents } from '@lyceum/contracts';
import { Consumes, ReadModel, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { ofKnownPeople } from '#src/people/known-people.js';
import { withoutErased } from '#src/people/member-erasures.js';
import { rowsOf } from '#src/read-models/rows-of.js';
import { sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';

export type ProgressEvent = EventOf<[typeof progressEvents]>;

export const progressSources: Sources = {
  EnrolledCourse: {
    lastWatchedLecture: {
      kind: 'one',
      from: {
        LastWatchedLecture: `playbacks w where w.site_id = :site and w.person_id = :person and w.course_id = e.course_id`,
      },
    },
  },
  LastWatchedLecture: {
    lectureId: sql.uuid('w.lecture_id'),
    title: sql.nullable(sql.text('w.title')),
    positionSeconds: sql.number('w.position_seconds'),
    watchedAt: sql.instant('w.watched_at'),
  },
};

@Injectable()
@ReadModel('progress')
export class ProgressRepository {
  @Consumes(progressEvents, 'progress', { table: 'lecture_progress' })
  async apply(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    await this.#writeProgress(await currentOf(events, tx), tx);
  }

  /** Also keeps the last playback of each course. */
  async applyWithPlaybacks(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    const current = await currentOf(events, tx);
    await this.#writeProgress(current, tx);
    await this.#writePlaybacks(current, tx);
  }

  /** The order of `watched_at` holds across the enrollments of a member, whose versions are not comparable. */
  async #writeProgress(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      {
        table: 'lecture_progress',
        key: ['site_id', 'person_id', 'course_id', 'lecture_id'],
        newest: ['epoch', 'watched_at', 'version'],
      },
      rowsOf(events, [
        'site_id',
        'person_id',
        'course_id',
        'lecture_id',
        'position_seconds',
        'watched_at',
        'completed_at',
      ]),
    );
  }

  /**
   * The lecture watched last wins, in any order of arrival. Fields of both events decide a tie, so read models that
   * received the events in different orders agree.
   */
  async #writePlaybacks(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      {
        table: 'playbacks',
        key: ['site_id', 'person_id', 'course_id'],
        newest: ['epoch', 'watched_at', 'lecture_id', 'version'],
      },
      rowsOf(
        events,
        ['site_id', 'person_id', 'course_id', 'lecture_id', 'position_seconds', 'watched_at'],
        ({ lecture_title: title }) => ({ title }),
      ),
    );
  }
}

/** Progress of known people since their last erasure. */
async function currentOf(events: readonly ProgressEvent[], tx: EntityManager): Promise<ProgressEvent[]> {
  return ofKnownPeople(await withoutErased(events, tx));
}
