import type { MigrationInterface, QueryRunner } from 'typeorm';

const WITH_METADATA = [
  'announcements',
  'categories',
  'consulting_purchases',
  'consulting_services',
  'consulting_slots',
  'coupons',
  'course_plans',
  'courses',
  'digital_product_grants',
  'digital_products',
  'event_registrations',
  'event_tickets',
  'events',
  'lecturers',
  'lectures',
  'members',
  'membership_plans',
  'pages',
  'posts',
  'sections',
  'students',
  'subscriptions',
  'webhook_endpoints',
];

const WITH_TAGS = ['courses', 'digital_products', 'posts', 'students'];

/** Filters and orders of lists. Rows without metadata or tags cost no entry of an index. */
export class ListFilters1764000290000 implements MigrationInterface {
  name = 'ListFilters1764000290000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of WITH_METADATA) {
      await runner.query(
        `create index ${table}_metadata on ${table} using gin (site_id, metadata jsonb_path_ops) where metadata <> '{}'`,
      );
    }
    for (const table of WITH_TAGS) {
      await runner.query(`create index ${table}_tags on ${table} using gin (site_id, tags) where tags <> '{}'`);
    }
    await runner.query(`
      alter table course_plans add column position int not null default 0 check (position >= 0);
      -- GET /courses/{course_id}/plans?sort=position
      create index course_plans_position on course_plans (site_id, course_id, position, id);
      -- GET /courses/{course_id}/plans?sort=name
      create index course_plans_name on course_plans (site_id, course_id, name, id);
      -- GET /courses/{course_id}/plans?active=…
      create index course_plans_active on course_plans (site_id, course_id, active, created_at, id);
      -- GET /courses?course_type=…
      create index courses_by_type on courses (site_id, course_type, created_at, id);
      -- GET /courses?featured=…
      create index courses_by_featured on courses (site_id, featured, created_at, id);
      -- GET /courses?hidden=…
      create index courses_by_hidden on courses (site_id, hidden, created_at, id);
      -- GET /courses?published_at[…]
      create index courses_by_published_at on courses (site_id, published_at) where published_at is not null;
      -- GET /lecturers?sort=position
      create index lecturers_by_position on lecturers (site_id, position, id);
      -- GET /categories?q=…
      create index categories_by_text on categories using gin (site_id, (name || ' ' || slug) gin_trgm_ops);
      -- GET /sections?sort=position
      create index sections_by_position on sections (site_id, position, id);
      -- GET /sections?q=…
      create index sections_by_text on sections using gin (site_id, title gin_trgm_ops);
      -- GET /lectures?sort=position
      create index lectures_by_position on lectures (site_id, position, id);
      -- GET /lectures?slug=…
      create index lectures_by_slug on lectures (site_id, slug);
      -- GET /lectures?q=…
      create index lectures_by_text on lectures using gin (site_id, (title || ' ' || slug) gin_trgm_ops);
      -- GET /enrollments?source=…
      create index enrollments_by_source on enrollments (site_id, source, created_at, id);
      -- GET /enrollments?expires_at[…]
      create index enrollments_by_expires_at on enrollments (site_id, expires_at) where expires_at is not null;
      -- GET /enrollments?completed_at[…]
      create index enrollments_by_completed_at on enrollments (site_id, completed_at) where completed_at is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index enrollments_by_completed_at, enrollments_by_expires_at, enrollments_by_source, lectures_by_text,
        lectures_by_slug, lectures_by_position, sections_by_text, sections_by_position, categories_by_text,
        lecturers_by_position, courses_by_published_at, courses_by_hidden, courses_by_featured, courses_by_type;
      alter table course_plans drop column position;
      drop index course_plans_name, course_plans_active;
    `);
    const indexes = [
      ...WITH_TAGS.map((table) => `${table}_tags`),
      ...WITH_METADATA.map((table) => `${table}_metadata`),
    ];
    await runner.query(`drop index ${indexes.join(', ')}`);
  }
}
