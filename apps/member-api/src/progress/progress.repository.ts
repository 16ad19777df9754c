import { Injectable } from '@nestjs/common';
import { progressEvents } from '@lyceum/contracts';
import { Consumes, ReadModel, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { together } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { ofKnownPeople } from '#src/people/known-people.js';
import { lockMemberships, sinceReturn } from '#src/people/member-erasures.js';
import { rowsOf } from '#src/read-models/rows-of.js';
import { sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';
import { endFormerRows } from './former-rows.statements.js';
import { runsOfStudents } from './students.policy.js';

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

const PROGRESS = { table: 'lecture_progress', key: ['site_id', 'person_id', 'course_id', 'lecture_id'] };
const PLAYBACKS = { table: 'playbacks', key: ['site_id', 'person_id', 'course_id'] };

/** The part of an event that both tables have. */
const COLUMNS = [
  'site_id',
  'person_id',
  'student_id',
  'course_id',
  'lecture_id',
  'position_seconds',
  'watched_at',
] as const;

@Injectable()
@ReadModel('progress')
export class ProgressRepository {
  @Consumes(progressEvents, 'progress', { table: 'lecture_progress' })
  async apply(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    for (const run of runsOfStudents(await sinceReturn(events, tx))) await this.#writeProgress(run, tx);
  }

  /** Also keeps the last playback of each course. An erasure of a member comes before or after these events. */
  async applyWithPlaybacks(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    const members = events.map(({ data }) => data);
    const [, current] = await together([lockMemberships(members, tx), sinceReturn(events, tx)]);
    for (const run of runsOfStudents(current)) {
      await this.#writePlaybacks(await this.#writeProgress(run, tx), tx);
    }
  }

  /**
   * The order of `watched_at` holds across the enrollments of a member, whose versions are not comparable. Returns the
   * events that did not come late.
   */
  async #writeProgress(events: readonly ProgressEvent[], tx: EntityManager): Promise<ProgressEvent[]> {
    const current = await withoutLate(PROGRESS, events, tx);
    const rows = rowsOf(ofKnownPeople(current), [...COLUMNS, 'completed_at']);
    await writeNewest(tx, { ...PROGRESS, newest: ['epoch', 'watched_at', 'version'] }, rows);
    return current;
  }

  /**
   * The lecture watched last wins, in any order of arrival. Fields of both events decide a tie, so read models that
   * received the events in different orders agree.
   */
  async #writePlaybacks(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    const current = ofKnownPeople(await withoutLate(PLAYBACKS, events, tx));
    const rows = rowsOf(current, COLUMNS, ({ lecture_title: title }) => ({ title }));
    await writeNewest(tx, { ...PLAYBACKS, newest: ['epoch', 'watched_at', 'lecture_id', 'version'] }, rows);
  }
}

/** Ends the rows of former people (ADR 219). */
async function withoutLate(
  table: typeof PROGRESS,
  events: readonly ProgressEvent[],
  tx: EntityManager,
): Promise<ProgressEvent[]> {
  if (events.length === 0) return [];
  const given = rowsOf(events, COLUMNS).map((row, place) => ({ ...row, place }));
  const late = await tx.query<{ place: number }[]>(endFormerRows(table), [JSON.stringify(given)]);
  const places = new Set(late.map(({ place }) => place));
  return events.filter((_event, place) => !places.has(place));
}
