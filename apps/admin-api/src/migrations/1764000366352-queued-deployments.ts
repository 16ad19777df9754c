import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATES = `'ready', 'live', 'superseded'`;

/** Deployments whose zip file a job checks (ADR 96). */
export class QueuedDeployments1764000366352 implements MigrationInterface {
  name = 'QueuedDeployments1764000366352';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table page_deployments
        add column faults jsonb not null default '[]',
        add column due_at timestamptz(3) not null default now(),
        add column attempts int not null default 0,
        -- Rows from before, and rows of the version before during its update, have no job.
        add column ended_at timestamptz(3) default now(),
        add column failure text,
        drop constraint page_deployments_files_count_check,
        drop constraint page_deployments_state_check;
      alter table page_deployments
        add constraint page_deployments_state_check check (state in ('queued', ${STATES}, 'failed')),
        add constraint page_deployments_files_count_check
          check (files_count >= 0 and (files_count = 0) = (state in ('queued', 'failed'))),
        add constraint page_deployments_faults check ((faults <> '[]') = (state = 'failed'));
      -- the claim of due jobs
      create index page_deployments_due on page_deployments (site_id, due_at) where ended_at is null;
      -- dead-jobs
      create index page_deployments_dead on page_deployments (ended_at) where failure is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from page_deployments where state in ('queued', 'failed');
      alter table page_deployments
        drop constraint page_deployments_files_count_check,
        drop constraint page_deployments_state_check;
      alter table page_deployments
        drop column failure,
        drop column ended_at,
        drop column attempts,
        drop column due_at,
        drop column faults,
        add constraint page_deployments_files_count_check check (files_count > 0),
        add constraint page_deployments_state_check check (state in (${STATES}));
    `);
  }
}
