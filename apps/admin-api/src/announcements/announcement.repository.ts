import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** The key of a row of a site. */
interface RowKey {
  readonly site_id: string;
  readonly id: string;
}

/** Condition on `announcements`: their course is a draft, whose members do not see it. */
const OF_DRAFT = `exists (select 1 from courses c
  where c.site_id = announcements.site_id and c.id = announcements.course_id and c.state = 'draft')`;

const DUE = {
  name: 'announcements_due',
  text: `select site_id, id from announcements
    where state = 'scheduled' and sends_at <= $1 and not ${OF_DRAFT} order by sends_at limit $2`,
};

@Injectable()
export class AnnouncementRepository {
  constructor(private readonly sql: Sql) {}

  /** Scheduled announcements of all sites whose time has come. Those to a draft wait until it is published. */
  due(now: Date, limit: number): Promise<RowKey[]> {
    return this.sql.query<RowKey>(DUE, [now, limit]);
  }

  /** Records how many people an announcement reached. The version stays, because counting is not an edit. */
  async recordRecipients(tx: EntityManager, { site_id, id }: RowKey, count: number): Promise<void> {
    const text = `update announcements set recipients_count = $3 where site_id = $1 and id = $2 and state = 'sent'`;
    await tx.query(text, [site_id, id, count]);
  }

  /** Whether the announcement goes to a course that is a draft. */
  async isOfDraft(tx: EntityManager, { site_id, id }: RowKey): Promise<boolean> {
    const text = `select 1 from announcements where site_id = $1 and id = $2 and ${OF_DRAFT}`;
    return (await tx.query<unknown[]>(text, [site_id, id])).length > 0;
  }

  async hasAnnouncements(tx: EntityManager, course: RowKey): Promise<boolean> {
    const text = 'select 1 from announcements where site_id = $1 and course_id = $2 limit 1';
    return (await tx.query<unknown[]>(text, [course.site_id, course.id])).length > 0;
  }
}
