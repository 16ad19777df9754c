import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Where, listStatement, violates } from '@lyceum/rest';
import type { Position } from '@lyceum/rest';
import { COURSE_TEXT } from './course.listing.js';
import { Course } from './course.entity.js';
import type { EditableColumns } from './course.patch.policy.js';
import type { CourseListQuery } from './course.schema.js';

interface Site {
  readonly site_id: string;
}

/** A list never carries the descriptions: they are up to 100,000 characters each. */
export type CourseSummary = Omit<Course, 'description_html'>;

const SUMMARY = `site_id, id, slug, name, subtitle, image_url, course_type, state, featured, hidden, tags, seo_title,
  seo_description, published_at, enrollments_count, version, created_at, updated_at`;

@Injectable()
export class CourseRepository {
  constructor(private readonly sql: Sql) {}

  list(
    site: Site,
    query: CourseListQuery,
    after: Position | undefined,
  ): Promise<(CourseSummary & { total_count?: number })[]> {
    const { state, q } = query;
    const where = new Where(site).and('state = ?', state);
    where.words(COURSE_TEXT, q);
    const statement = listStatement({ columns: SUMMARY, table: 'courses', where }, query, after);
    return this.sql.query(statement, statement.values);
  }

  async countListed(site: Site, atMost: number): Promise<number> {
    const rows = await this.sql.query<{ count: number }>(
      {
        name: 'courses_count_listed',
        text: `select count(*)::int as count from
          (select from courses where site_id = $1 and state = 'published' and not hidden limit $2) found`,
      },
      [site.site_id, atMost],
    );
    return rows[0]?.count ?? 0;
  }

  async find(site: Site, id: string): Promise<Course | undefined> {
    const rows = await this.sql.query<Course>(
      {
        name: 'courses_find',
        text: `select ${SUMMARY}, description_html from courses where site_id = $1 and id = $2`,
      },
      [site.site_id, id],
    );
    return rows[0];
  }

  async findBySlug(site: Site, slug: string): Promise<Course | undefined> {
    const rows = await this.sql.query<Course>(
      {
        name: 'courses_find_by_slug',
        text: `select ${SUMMARY}, description_html from courses where site_id = $1 and slug = $2`,
      },
      [site.site_id, slug],
    );
    return rows[0];
  }

  /** The row, until the transaction ends. Enrolling in the course waits for it too, for it counts there. */
  lock(tx: EntityManager, site: Site, id: string): Promise<Course | null> {
    return tx.findOne(Course, { where: { site_id: site.site_id, id }, lock: { mode: 'for_no_key_update' } });
  }

  /** The next ones of all sites by site and id, unchanged until the transaction ends. */
  share(tx: EntityManager, [site_id, id]: readonly string[], limit: number): Promise<CourseSummary[]> {
    return tx.query<CourseSummary[]>(
      `select ${SUMMARY} from courses where (site_id, id) > ($1, $2) order by site_id, id limit $3 for share`,
      [site_id, id, limit],
    );
  }

  /** Null when the slug is taken at the site. */
  async insert(tx: EntityManager, site: Site, course: EditableColumns): Promise<Course | null> {
    const [row] = await tx.query<Course[]>(
      `insert into courses (site_id, slug, name, subtitle, description_html, image_url, course_type, featured, hidden,
                            tags, seo_title, seo_description)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict on constraint courses_slug do nothing
       returning ${SUMMARY}, description_html`,
      [
        site.site_id,
        course.slug,
        course.name,
        course.subtitle,
        course.description_html,
        course.image_url,
        course.course_type,
        course.featured,
        course.hidden,
        course.tags,
        course.seo_title,
        course.seo_description,
      ],
    );
    return row ?? null;
  }

  /** IdempotentWrites the changed columns of a locked row. Null when the new slug is taken at the site. */
  async update(tx: EntityManager, course: Course, changes: Partial<Course>): Promise<Course | null> {
    const next = { ...changes, version: course.version + 1, updated_at: new Date() };
    try {
      await tx.update(Course, { site_id: course.site_id, id: course.id }, next);
    } catch (error) {
      if (violates(error, 'courses_slug')) return null;
      throw error;
    }
    return Object.assign(new Course(), course, next);
  }

  /** Deletes a locked row, unless somebody is, or was, enrolled, or a plan has it. Who enrols waits for the lock, and finds no course then. */
  async remove(tx: EntityManager, { site_id, id }: Course): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `with deleted as (
         delete from courses where site_id = $1 and id = $2
           and not exists (select 1 from enrollments where site_id = $1 and course_id = $2)
           and not exists (select 1 from membership_plan_courses where site_id = $1 and course_id = $2)
         returning 1)
       select 1 from deleted`,
      [site_id, id],
    );
    return rows.length === 1;
  }
}
