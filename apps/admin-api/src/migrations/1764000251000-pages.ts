import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pages with own keys, and the files of their deployments (ADR 96). */
export class Pages1764000251000 implements MigrationInterface {
  name = 'Pages1764000251000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- It follows from the slug.
      alter table pages drop column path_prefix;
      alter table pages
        add column previous_deployment_id uuid,
        add column external_id text,
        add column metadata jsonb not null default '{}',
        -- GET /pages?external_id=…, and the upsert
        add constraint pages_external_id unique (site_id, external_id),
        add constraint pages_previous_deployment foreign key (site_id, id, previous_deployment_id)
          references page_deployments (site_id, page_id, id) deferrable initially deferred;

      -- A program of the platform made the deployments before; the column had the name of its client.
      alter table page_deployments drop column created_by;
      alter table page_deployments
        add column created_by uuid,
        add column file_id uuid,
        -- content_html is the beginning of the text
        add column content_cut boolean not null default false,
        drop constraint page_deployments_state_check;
      alter table page_deployments
        add constraint page_deployments_state_check check (state in ('ready', 'live', 'superseded'));
      -- the deployments of a page, sort=created_at and created_at[…]
      create index page_deployments_created on page_deployments (site_id, page_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index page_deployments_updated on page_deployments (site_id, page_id, updated_at, id);

      create table page_files (
        site_id uuid not null,
        deployment_id uuid not null,
        -- Below the address of the page
        path text not null,
        content_type text not null,
        -- Hexadecimal: the entity tag
        sha256 text not null,
        content bytea not null,
        -- a file of the live deployment
        primary key (site_id, deployment_id, path),
        foreign key (site_id, deployment_id) references page_deployments (site_id, id) on delete cascade
      );
      -- A read needs no decompression.
      alter table page_files alter column content set storage external;

      insert into page_files (site_id, deployment_id, path, content_type, sha256, content)
      select site_id, id, 'index.html', 'text/html; charset=utf-8',
        encode(sha256(convert_to(content_html, 'UTF8')), 'hex'), convert_to(content_html, 'UTF8')
      from page_deployments where content_html is not null;
      update page_deployments set bytes = octet_length(convert_to(content_html, 'UTF8')) where content_html is not null;
      insert into file_usage as used (site_id, bytes, open_uploads)
      select site_id, sum(bytes), 0 from page_deployments group by site_id
      on conflict (site_id) do update set bytes = used.bytes + excluded.bytes;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update file_usage u set bytes = u.bytes - d.bytes
      from (select site_id, sum(bytes) as bytes from page_deployments group by site_id) d where d.site_id = u.site_id;
      drop table page_files;
      drop index page_deployments_updated, page_deployments_created;
      alter table page_deployments drop constraint page_deployments_state_check;
      alter table page_deployments
        add constraint page_deployments_state_check
          check (state in ('queued', 'ready', 'live', 'superseded', 'failed')),
        drop column content_cut,
        drop column file_id,
        drop column created_by;
      alter table page_deployments add column created_by text not null default 'admin-api';
      alter table page_deployments alter column created_by drop default;
      alter table pages
        drop constraint pages_previous_deployment,
        drop constraint pages_external_id,
        drop column metadata,
        drop column external_id,
        drop column previous_deployment_id,
        add column path_prefix text;
      update pages set path_prefix = '/pages/' || slug;
      alter table pages alter column path_prefix set not null;
    `);
  }
}
