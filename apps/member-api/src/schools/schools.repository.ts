import { Injectable } from '@nestjs/common';
import { eventType, siteEvents } from '@lyceum/contracts';
import { ReadModel, Consumes, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '#src/read-models/rows-of.js';
import { argument, sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';

type SiteEvent = EventOf<[typeof siteEvents]>;

const DELETED = eventType(siteEvents, 'deleted');

/** All sites where the person has a role. This is the only list that is not fenced by the site of the token. */
const SCHOOL = `memberships sm join sites s on s.site_id = sm.site_id
                where sm.person_id = :person and sm.roles <> '{}' and s.state = 'active'`;

const schools: FieldSource = {
  kind: 'list',
  from: SCHOOL,
  orderBy: 's.name, s.site_id',
};

export const schoolSources: Sources = {
  Query: {
    node: { kind: 'node', from: { ViewerSchool: `${SCHOOL} and s.org_id = ${argument('id', 'text')}` } },
  },
  Viewer: { schools },
  ViewerSchool: {
    // Rows older than public ids have none until `rebuild schools`.
    id: sql.text('coalesce(s.org_id, s.site_id::text)'),
    name: sql.text('s.name'),
    slug: sql.text('s.slug'),
    url: sql.text('s.base_url'),
    roles: sql.texts('sm.roles'),
    isCurrent: sql.boolean('s.site_id = :site'),
    joinedAt: sql.instant('sm.joined_at'),
  },
};

@Injectable()
@ReadModel('schools')
export class SchoolsRepository {
  @Consumes(siteEvents, 'schools', { table: 'sites' })
  async apply(events: readonly SiteEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'sites', key: ['site_id'] },
      // The row of a deleted site ends with all others of the site: a rebuild must not restore it.
      rowsOf(
        events.filter(({ type }) => type !== DELETED),
        ['site_id', 'base_url', 'name', 'slug', 'org_id', 'state', 'locale', 'course_url'],
      ),
    );
  }
}
