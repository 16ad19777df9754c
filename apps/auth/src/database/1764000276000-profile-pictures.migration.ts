import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pictures that people upload for their profile at a site (ADR 129). */
export class ProfilePictures1764000276000 implements MigrationInterface {
  readonly name = 'ProfilePictures1764000276000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table profile_pictures (
        site_id     uuid not null references sites,
        person_id   uuid not null references people,
        -- Random, in the address of the picture. Its index serves the address.
        picture_id  uuid not null unique,
        type        text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
        bytes       bytea not null check (length(bytes) between 1 and 1048576),
        uploaded_at timestamptz(3) not null default now(),
        -- A newer picture replaces the row.
        primary key (site_id, person_id)
      )`);
    // Images are compressed already.
    await runner.query('alter table profile_pictures alter column bytes set storage external');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table profile_pictures');
  }
}
