import type { MigrationInterface, QueryRunner } from 'typeorm';
import { functions } from './baseline/functions.js';
import { school } from './baseline/school.js';
import { files } from './baseline/files.js';
import { courses } from './baseline/courses.js';
import { learning } from './baseline/learning.js';
import { memberships } from './baseline/memberships.js';
import { products } from './baseline/products.js';
import { events } from './baseline/events.js';
import { consulting } from './baseline/consulting.js';
import { sales } from './baseline/sales.js';
import { community } from './baseline/community.js';
import { site } from './baseline/site.js';
import { transfers } from './baseline/transfers.js';
import { webhooks } from './baseline/webhooks.js';
import { log } from './baseline/log.js';
import { analytics } from './baseline/analytics.js';
import { replaced } from './baseline/replaced.js';

const PARTS = [
  functions,
  school,
  files,
  courses,
  learning,
  memberships,
  products,
  events,
  consulting,
  sales,
  community,
  site,
  transfers,
  webhooks,
  log,
  analytics,
];

/** The schema of v0.1.0. It replaces the migrations from before (ADR 174). */
export class Baseline1763683200000 implements MigrationInterface {
  readonly name = 'Baseline1763683200000';
  readonly replaces = replaced;

  async up(runner: QueryRunner): Promise<void> {
    for (const part of PARTS) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table
        analytics_attendance_blocks, analytics_memberships_blocks, analytics_enrollments_blocks,
        analytics_sales_blocks, analytics_attendance_hours, analytics_memberships_hours, analytics_enrollments_hours,
        analytics_sales_hours, analytics_marks, analytics_attendance, analytics_cohorts, analytics_membership_months,
        analytics_memberships, analytics_enrollments, analytics_sales, changes, change_clock, activity,
        webhook_erasures, webhook_queues, webhook_deliveries, webhook_endpoints, imports, exports, file_uses,
        page_files, page_deployments, pages, appearance_revisions, appearances, form_submissions, forms, comments,
        announcements, posts, order_refunds, order_lines, orders, coupon_redemptions, coupons, consulting_bookings,
        consulting_purchases, consulting_slots, consulting_service_lecturers, consulting_services,
        event_registrations, event_tickets, events, digital_product_grant_sources, digital_product_grants,
        digital_products, subscription_follows, subscription_orders, subscriptions, membership_plan_courses,
        membership_plan_prices, membership_plans, course_reviews, progress, access_grants, enrollments, course_plans,
        lectures, sections, course_categories, categories, course_lecturers, courses, file_usage, files,
        teachers_of_deleted_courses, lecturers, students, members, schools cascade;
      drop function
        enrollment_begins, analytics_mark_all, analytics_event, analytics_registrations, analytics_subscription,
        analytics_progress, analytics_enrollment, analytics_enrollments, analytics_refunds, analytics_order,
        analytics_orders, analytics_slot, analytics_quarter, subscription_price, changes_are_append_only,
        count_file_use, activity_is_append_only;
      drop extension citext;
    `);
  }
}
