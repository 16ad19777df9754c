import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings of a school that its operators change. A column that was never set is null. */
export class SchoolSettings1764000170000 implements MigrationInterface {
  name = 'SchoolSettings1764000170000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table schools
        alter column name drop not null,
        alter column locale drop not null,
        alter column timezone drop not null,
        alter column currency drop not null,
        add column legal_name text,
        add column url_templates jsonb not null default '{}',
        -- null: never switched
        add column mcp_connections boolean`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from schools where name is null or currency is null;
      update schools set locale = coalesce(locale, 'en'), timezone = coalesce(timezone, 'UTC')
        where locale is null or timezone is null;
      alter table schools
        drop column mcp_connections,
        drop column url_templates,
        drop column legal_name,
        alter column currency set not null,
        alter column timezone set not null,
        alter column locale set not null,
        alter column name set not null`);
  }
}
