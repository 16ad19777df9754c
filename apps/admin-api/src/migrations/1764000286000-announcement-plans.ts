import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Announcements to the members of a membership plan. */
export class AnnouncementPlans1764000286000 implements MigrationInterface {
  name = 'AnnouncementPlans1764000286000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table announcements
        add column membership_plan_id uuid,
        add constraint announcements_audience check (course_id is null or membership_plan_id is null),
        add constraint announcements_plan foreign key (site_id, membership_plan_id)
          references membership_plans (site_id, id);
      -- the check of the foreign key when a plan is deleted
      create index announcements_membership_plan on announcements (site_id, membership_plan_id)
        where membership_plan_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table announcements drop column membership_plan_id');
  }
}
