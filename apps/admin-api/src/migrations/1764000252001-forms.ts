import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Forms of a site, what visitors submitted, and its export (ADR 97). */
export class Forms1764000252001 implements MigrationInterface {
  name = 'Forms1764000252001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table forms (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        slug text not null,
        external_id text,
        title text not null,
        fields jsonb not null,
        -- Counted in the transactions of the submissions
        submissions_count int not null default 0 check (submissions_count >= 0),
        active boolean not null,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        -- slug=…, and the commands of storefronts
        constraint forms_slug unique (site_id, slug),
        -- external_id=…, and the commands of storefronts
        constraint forms_external_id unique (site_id, external_id)
      );
      -- sort=created_at and created_at[…]
      create index forms_created on forms (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index forms_updated on forms (site_id, updated_at, id);
      -- active=…
      create index forms_active on forms (site_id, active, created_at, id);

      create table form_submissions (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        form_id uuid not null,
        -- null: an anonymous visitor
        student_id uuid,
        -- By the keys of fields; empty after an erasure
        answers jsonb not null,
        submitted_at timestamptz(3) not null,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, form_id) references forms (site_id, id),
        foreign key (site_id, student_id) references students (site_id, id)
      );
      -- GET /forms/{form_id}/submissions, and created_at[…]
      create index form_submissions_created on form_submissions (site_id, form_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index form_submissions_updated on form_submissions (site_id, form_id, updated_at, id);
      -- student_id=…
      create index form_submissions_student on form_submissions (site_id, form_id, student_id, created_at, id);
      -- an export
      create index form_submissions_form on form_submissions (site_id, form_id, id);
      -- the erasure of a student
      create index form_submissions_of_student on form_submissions (site_id, student_id) where student_id is not null;

      -- Columns of a CSV file that depend on the time of the request; null: those of the collection
      alter table exports add column columns text[];
      alter table exports drop constraint exports_collection_check;
      alter table exports add constraint exports_collection_check
        check (collection in ('students', 'enrollments', 'progress', 'orders', 'form_submissions'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from exports where collection = 'form_submissions';
      alter table exports drop constraint exports_collection_check;
      alter table exports add constraint exports_collection_check
        check (collection in ('students', 'enrollments', 'progress', 'orders'));
      alter table exports drop column columns;
      drop table form_submissions;
      drop table forms;
    `);
  }
}
