import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createAuditFunctions } from './1763900000001-audit-log-partitions.migration.js';

/**
 * `MonthlyPartitions` keeps the partitions of the audit log, as it keeps those of the activity log: no function in the
 * database, a default partition, and triggers that PostgreSQL gives to each new partition. No row moves.
 */
export class AuditLogMonths1764000031000 implements MigrationInterface {
  readonly name = 'AuditLogMonths1764000031000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop function audit_log_expire, audit_log_prepare, audit_log_partition, audit_log_bound');
    for (const table of ['audit_log', ...(await partitionsOf(runner))]) {
      await runner.query(`
        drop trigger audit_log_append_only on ${table};
        create trigger append_only before truncate on ${table}
          for each statement execute function audit_log_is_append_only()`);
    }
    await runner.query(`
      create trigger audit_log_rows_stay before update or delete on audit_log
        for each row execute function audit_log_is_append_only()`);
    // Rows of a month without a partition. Housekeeping turns it into the partition of its months.
    await runner.query(`
      create table audit_log_default partition of audit_log default;
      create trigger append_only before truncate on audit_log_default
        for each statement execute function audit_log_is_append_only()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log detach partition audit_log_default');
    await runner.query('drop trigger audit_log_rows_stay on audit_log');
    for (const table of ['audit_log', ...(await partitionsOf(runner))]) {
      await runner.query(`
        drop trigger append_only on ${table};
        create trigger audit_log_append_only before update or delete or truncate on ${table}
          for each statement execute function audit_log_is_append_only()`);
    }
    await createAuditFunctions(runner);
    await runner.query('select audit_log_prepare(12, now())');
    await runner.query(`
      select audit_log_prepare(0, month)
        from (select distinct date_trunc('month', uuid_extract_timestamp(audit_id), 'UTC') as month
                from audit_log_default) months`);
    await runner.query('insert into audit_log select * from audit_log_default');
    await runner.query('drop table audit_log_default');
  }
}

async function partitionsOf(runner: QueryRunner): Promise<string[]> {
  const found = (await runner.query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass`,
  )) as { name: string }[];
  return found.map(({ name }) => name);
}
