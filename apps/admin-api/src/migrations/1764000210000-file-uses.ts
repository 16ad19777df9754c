import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rows that use files (ADR 83). PostgreSQL counts the uses of a file, also when a row goes with its parent. */
export class FileUses1764000210000 implements MigrationInterface {
  name = 'FileUses1764000210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table files add column uses int not null default 0, alter column sweep_at drop not null;
      alter table files
        add constraint files_uses check (uses >= 0 and (uses = 0) = (sweep_at is not null)),
        add constraint files_used check (uses = 0 or state = 'ready');

      create table file_uses (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        file_id uuid not null,
        -- One column for each kind of row that uses files
        lecture_id uuid,
        appearance_revision_id uuid,
        primary key (site_id, id),
        check (num_nonnulls(lecture_id, appearance_revision_id) = 1),
        foreign key (site_id, file_id) references files (site_id, id),
        foreign key (site_id, lecture_id) references lectures (site_id, id) on delete cascade,
        foreign key (site_id, appearance_revision_id) references appearance_revisions (site_id, id) on delete cascade
      );
      -- the uses of a file that is deleted
      create index file_uses_file on file_uses (site_id, file_id);
      -- the files of a lecture
      create unique index file_uses_lecture on file_uses (site_id, lecture_id, file_id) where lecture_id is not null;
      -- the files of a revision
      create unique index file_uses_revision on file_uses (site_id, appearance_revision_id, file_id)
        where appearance_revision_id is not null;
    `);
    await runner.query(`
      create function count_file_use() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          update files set uses = uses + 1, sweep_at = null where site_id = new.site_id and id = new.file_id;
        else
          -- The statement waits for other changes of the row, so the last of several uses that end at one time sees 1.
          update files set uses = uses - 1, sweep_at = case when uses = 1 then now() + interval '7 days' end
          where site_id = old.site_id and id = old.file_id;
        end if;
        return null;
      end $$;
      create trigger file_uses_count after insert or delete on file_uses
        for each row execute function count_file_use();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table file_uses; drop function count_file_use');
    await runner.query(`
      alter table files drop constraint files_used, drop constraint files_uses;
      update files set sweep_at = now() + interval '7 days' where sweep_at is null;
      alter table files alter column sweep_at set not null, drop column uses;
    `);
  }
}
