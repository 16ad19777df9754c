import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The members of a site: the read model of `identity.role.*`, with what the school itself says of them (ADR 73). It replaces
 * `people_roles`. Rows that it copies have the position 0, so `republish role` at auth completes them.
 */
export class Members1764000160001 implements MigrationInterface {
  name = 'Members1764000160001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table members (
        site_id uuid not null,
        -- sub of the tokens of the member
        id uuid not null,
        -- null: the member was removed
        person_id uuid,
        email text,
        name text not null,
        phone_number text,
        avatar_url text,
        locale text,
        state text not null check (state in ('invited', 'active', 'suspended', 'removed')),
        roles text[] not null,
        joined_at timestamptz(3) not null,
        external_id text,
        metadata jsonb not null default '{}',
        custom_fields jsonb not null default '{}',
        -- Position in the events of identity
        source_epoch bigint not null,
        source_version int not null,
        version int not null default 1,
        revision int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        constraint members_person unique (site_id, person_id),
        -- GET /members?external_id=…
        constraint members_external_id unique (site_id, external_id)
      );
      -- GET /members?email=…, and the person of a new student or lecturer
      create index members_by_email on members (site_id, email);
      -- GET /members?state=…
      create index members_by_state on members (site_id, state, created_at, id);
      -- GET /members?role=…
      create index members_by_role on members using gin (site_id, roles);
      -- sort=created_at and created_at[…]
      create index members_created on members (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index members_updated on members (site_id, updated_at, id);
      -- sort=name
      create index members_name on members (site_id, name, id);
      -- q
      create index members_by_text on members using gin (site_id, (name || ' ' || coalesce(email, '')) gin_trgm_ops);

      insert into members (site_id, id, person_id, email, name, state, roles, joined_at, source_epoch, source_version)
      select site_id, member_id, person_id, email, name, case when roles = '{}' then 'removed' else 'active' end, roles,
             now(), 1, 0
      from people_roles where member_id is not null;

      drop table people_roles;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table people_roles (
        site_id uuid not null,
        person_id uuid not null,
        email text not null,
        name text not null,
        roles text[] not null,
        version int not null,
        member_id uuid,
        epoch bigint not null default 1,
        primary key (site_id, person_id)
      );
      create index people_roles_by_email on people_roles (site_id, email);
      create index people_roles_by_member on people_roles (site_id, member_id);

      insert into people_roles (site_id, person_id, email, name, roles, version, member_id, epoch)
      select site_id, person_id, email, name, roles, source_version, id, source_epoch
      from members where person_id is not null and email is not null;

      drop table members;
    `);
  }
}
