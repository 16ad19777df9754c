import { Injectable } from '@nestjs/common';
import { curriculumEvents } from '@lyceum/contracts';
import { Consumes, ReadModel, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';

export type CurriculumEvent = EventOf<[typeof curriculumEvents]>;

/** The curriculum of each course as members see it. */
@Injectable()
@ReadModel('curricula')
export class CurriculaRepository {
  @Consumes(curriculumEvents, 'curricula', { table: 'curricula' })
  async apply(events: readonly CurriculumEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'curricula', key: ['site_id', 'course_id'] },
      events.map(({ data, epoch, aggregate_version: version }) => ({
        site_id: data.site_id,
        course_id: data.course_id,
        epoch,
        version,
        sections: visibleSections(data.sections),
      })),
    );
  }
}

/** Published lectures, and the sections that have one, with their places among these. */
function visibleSections(sections: CurriculumEvent['data']['sections']): object[] {
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
