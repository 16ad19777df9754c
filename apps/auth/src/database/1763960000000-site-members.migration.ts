import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gives a membership an id of its own and a state. The previous release keeps working: it reads and writes
 * `site_roles`, now a view, and a trigger derives the state from the roles that it writes. The next release removes
 * view and trigger.
 */
export class SiteMembers1763960000000 implements MigrationInterface {
  readonly name = 'SiteMembers1763960000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table site_roles rename to site_members');
    await runner.query('alter index site_roles_by_person rename to site_members_by_person');
    await runner.query(`
      -- The id is random: it is the subject of the person's tokens at this site, and says nothing of any other site.
      alter table site_members
        add column member_id uuid not null default gen_random_uuid() constraint site_members_id unique,
        add column state text not null default 'active'
          check (state in ('invited', 'active', 'suspended', 'removed'))`);
    await runner.query(`update site_members set state = 'removed' where roles = '{}'`);
    await runner.query(`
      alter table site_members
        add constraint site_members_removed_without_roles check ((state = 'removed') = (roles = '{}'))`);
    await runner.query(`
      create function site_members_state() returns trigger language plpgsql as $$
      begin
        if new.roles = '{}' then new.state := 'removed';
        elsif new.state = 'removed' then new.state := 'active';
        end if;
        return new;
      end $$`);
    await runner.query(`
      create trigger site_members_state before insert or update on site_members
        for each row execute function site_members_state()`);
    await runner.query(
      'create view site_roles as select site_id, person_id, roles, version, joined_at from site_members',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop view site_roles');
    await runner.query('drop trigger site_members_state on site_members');
    await runner.query('drop function site_members_state');
    await runner.query('alter table site_members drop column member_id, drop column state');
    await runner.query('alter index site_members_by_person rename to site_roles_by_person');
    await runner.query('alter table site_members rename to site_roles');
  }
}
