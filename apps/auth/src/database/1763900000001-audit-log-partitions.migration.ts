import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One partition of the audit log per month (UTC), so that old months can be dropped although no row can be deleted. The
 * key is the id: a UUIDv7 begins with its time, so a page reads the newest partition first and stops early.
 */
export class AuditLogPartitions1763900000001 implements MigrationInterface {
  readonly name = 'AuditLogPartitions1763900000001';

  async up(runner: QueryRunner): Promise<void> {
    await createNames(runner);
    await runner.query(`
      -- What was written so far becomes the partition of this month, and of all before.
      DO $$
      DECLARE
        month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
        name text := audit_log_partition(month);
      BEGIN
        EXECUTE format('ALTER TABLE audit_log RENAME TO %I', name);
        EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT audit_log_pkey TO %I', name, name || '_pkey');
        EXECUTE format('ALTER INDEX audit_log_of_site RENAME TO %I', name || '_of_site');
        EXECUTE format(
          'CREATE TABLE audit_log (LIKE %I INCLUDING DEFAULTS, PRIMARY KEY (audit_id)) PARTITION BY RANGE (audit_id)', name);
        -- Serves the audit view of a site, newest first.
        CREATE INDEX audit_log_of_site ON audit_log (site_id, audit_id DESC);
        EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
                       name, audit_log_bound(month + interval '1 month'));
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only()`);
    await createUpkeep(runner);
    await runner.query('SELECT audit_log_prepare(12, now())');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE audit_log_whole (LIKE audit_log INCLUDING DEFAULTS)');
    await runner.query('INSERT INTO audit_log_whole SELECT * FROM audit_log');
    await runner.query('DROP TABLE audit_log');
    await runner.query('ALTER TABLE audit_log_whole RENAME TO audit_log');
    await runner.query('ALTER TABLE audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (audit_id)');
    await runner.query('CREATE INDEX audit_log_of_site ON audit_log (site_id, audit_id DESC)');
    await runner.query(`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only()`);
    await runner.query('DROP FUNCTION audit_log_expire, audit_log_prepare, audit_log_partition, audit_log_bound');
  }
}

/** The bounds and the names of partitions. */
async function createNames(runner: QueryRunner): Promise<void> {
  await runner.query(`
    -- The smallest UUIDv7 of an instant (RFC 9562 §5.7).
    CREATE FUNCTION audit_log_bound(month timestamp) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
      SELECT (lpad(to_hex((extract(epoch FROM month) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
    $$`);
  await runner.query(`
    CREATE FUNCTION audit_log_partition(month timestamp) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT 'audit_log_' || to_char(month, 'YYYY_MM')
    $$`);
}

async function createUpkeep(runner: QueryRunner): Promise<void> {
  await runner.query(`
    -- Makes the partitions of the month of "at" and so many after it. Gives up for now when another replica does it, or
    -- when a lock takes long: the writers of the log would wait behind it.
    CREATE FUNCTION audit_log_prepare(ahead int, at timestamptz) RETURNS SETOF text LANGUAGE plpgsql
      SET lock_timeout = '1s' AS $$
    DECLARE
      month timestamp;
      name text;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtext('audit_log_partitions')) THEN RETURN; END IF;
      FOR n IN 0..ahead LOOP
        month := date_trunc('month', at AT TIME ZONE 'UTC') + make_interval(months => n);
        name := audit_log_partition(month);
        CONTINUE WHEN to_regclass(name) IS NOT NULL;
        EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (%L) TO (%L)',
                       name, audit_log_bound(month), audit_log_bound(month + interval '1 month'));
        -- A trigger of the parent does not fire for a statement that names the partition.
        EXECUTE format('CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
                          FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only()', name);
        RETURN NEXT name;
      END LOOP;
    END $$`);
  await runner.query(`
    -- Drops the partitions of which all rows are older than so many whole months before that of "at".
    CREATE FUNCTION audit_log_expire(keep int, at timestamptz) RETURNS SETOF text LANGUAGE plpgsql
      SET lock_timeout = '1s' AS $$
    DECLARE
      oldest text := audit_log_partition(date_trunc('month', at AT TIME ZONE 'UTC') - make_interval(months => keep));
      name text;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtext('audit_log_partitions')) THEN RETURN; END IF;
      FOR name IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'audit_log'::regclass AND c.relname < oldest ORDER BY c.relname
      LOOP
        EXECUTE format('DROP TABLE %I', name);
        RETURN NEXT name;
      END LOOP;
    END $$`);
}

/** The functions by which releases before `AuditLogMonths` keep the partitions. */
export async function createAuditFunctions(runner: QueryRunner): Promise<void> {
  await createNames(runner);
  await createUpkeep(runner);
}
