import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Releases before v0.1.0 wrote memberships by this view, and the trigger derived their state. */
export class DropSiteRoles1795987200010 implements MigrationInterface {
  readonly name = 'DropSiteRoles1795987200010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop view site_roles;
      drop trigger site_members_state on site_members;
      drop function site_members_state;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function site_members_state() returns trigger language plpgsql as $$
      begin
        if new.roles = '{}' then new.state := 'removed';
        elsif new.state = 'removed' then new.state := 'active';
        end if;
        return new;
      end $$;
      create trigger site_members_state before insert or update on site_members for each row
        execute function site_members_state();
      create view site_roles as select site_id, person_id, roles, version, joined_at from site_members;
    `);
  }
}
