import type { MigrationInterface, QueryRunner } from 'typeorm';
import { catalog } from './baseline/catalog.js';
import { members } from './baseline/members.js';
import { notifications } from './baseline/notifications.js';
import { limits } from './baseline/limits.js';
import { replaced } from './baseline/replaced.js';

const PARTS = [catalog, members, notifications, limits];

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
        rate_window, outbound_mails, reminders, fan_outs, notification_subscriptions, inbox_counts, notifications,
        event_registrations, consulting_bookings, consulting_purchases, digital_product_downloads,
        digital_product_grants, subscriptions, lecture_progress, playbacks, enrollments, memberships, people,
        consulting_services, digital_products, events, posts, texts, lecture_attachments, curricula, courses,
        clients, sites cascade;
    `);
  }
}
