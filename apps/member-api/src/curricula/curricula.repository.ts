import { Injectable } from '@nestjs/common';
import { curriculumEvents } from '@lyceum/contracts';
import type { StateVersion } from '@lyceum/contracts';
import { Consumes, ReadModel, lockRows, writeNewest } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { collectPieces, joinPieces } from './curriculum-pieces.policy.js';
import type { CurriculumEvent, Pieces, Sections } from './curriculum-pieces.policy.js';

const CURRICULA = { table: 'curricula', key: ['site_id', 'course_id'] };

/** The curriculum of each course as members see it. */
@Injectable()
@ReadModel('curricula')
export class CurriculaRepository {
  @Consumes(curriculumEvents, 'curricula', { table: 'curricula' })
  async apply(events: readonly CurriculumEvent[], tx: EntityManager): Promise<void> {
    const whole = events.filter(({ data }) => data.piece?.count === 1);
    const rows = whole.map(({ data, epoch, aggregate_version: version }) =>
      rowOf({ ...data, epoch, version }, data.sections),
    );
    const pieces = events.filter(({ data }) => data.piece !== null && data.piece.count > 1).map(withoutDrafts);
    if (pieces.length > 0) {
      const courses = [...whole, ...pieces].map(({ data: { site_id, course_id } }) => ({ site_id, course_id }));
      const empty = courses.map((course) => ({ ...course, sections: [] }));
      await lockRows(tx, CURRICULA, empty);
    }
    for (const some of Map.groupBy(pieces, ({ data }) => `${data.site_id} ${data.course_id}`).values()) {
      rows.push(...(await this.#assemble(some, tx)));
    }
    await writeNewest(tx, CURRICULA, rows);
  }

  /** Stores the pieces of one locked course until all of a version have arrived. Returns the row of that version. */
  async #assemble(events: readonly CurriculumEvent[], tx: EntityManager): Promise<ReturnType<typeof rowOf>[]> {
    const [first] = events;
    if (first === undefined) return [];
    const { site_id, course_id } = first.data;
    const key = [site_id, course_id];
    const [row] = await tx.query<{ epoch: string; version: number; pieces: Pieces | null }[]>(
      'select epoch, version, pieces from curricula where site_id = $1 and course_id = $2',
      key,
    );
    if (row === undefined) throw new Error(`The locked curriculum of ${course_id} is missing`);
    const pieces = collectPieces({ epoch: Number(row.epoch), version: row.version }, row.pieces, events);
    const sections = pieces === null ? undefined : joinPieces(pieces);
    const waiting = sections === undefined ? pieces : null;
    if (waiting !== row.pieces) {
      const values = [...key, waiting === null ? null : JSON.stringify(waiting)];
      await tx.query('update curricula set pieces = $3 where site_id = $1 and course_id = $2', values);
    }
    return pieces === null || sections === undefined ? [] : [rowOf({ ...pieces, site_id, course_id }, sections)];
  }
}

interface CurriculumState extends StateVersion {
  readonly site_id: string;
  readonly course_id: string;
}

function rowOf({ site_id, course_id, epoch, version }: CurriculumState, sections: Sections) {
  return { site_id, course_id, epoch, version, sections: visibleSections(sections) };
}

/** Drafts never enter the table. */
function withoutDrafts(event: CurriculumEvent): CurriculumEvent {
  const sections = event.data.sections.map(({ lectures, ...section }) => ({
    ...section,
    lectures: lectures.filter(({ state }) => state === 'published'),
  }));
  return { ...event, data: { ...event.data, sections } };
}

/** Published lectures, and the sections that have one, with their places among these. */
function visibleSections(sections: Sections): object[] {
  return sections
    .map(({ lectures, ...section }) => ({
      ...section,
      lectures: lectures
        .filter(({ state }) => state === 'published')
        .map(({ lecture_id, slug, title, lecture_type, free_preview, duration_seconds }, index) => ({
          lecture_id,
          position: index + 1,
          slug,
          title,
          lecture_type,
          free_preview,
          duration_seconds,
        })),
    }))
    .filter(({ lectures }) => lectures.length > 0)
    .map(({ section_id, title, drip_days, opens_at, lectures }, index) => ({
      section_id,
      position: index + 1,
      title,
      drip_days,
      opens_at,
      lectures,
    }));
}
