import type { QueryRunner } from 'typeorm';

/**
 * Reduces every timestamp column to millisecond precision: clients keep no more, and a truncated instant would compare
 * as earlier than the stored one. Rewrites each table once.
 */
export async function keepMilliseconds(runner: QueryRunner): Promise<void> {
  await runner.query(`
    DO $$
    DECLARE
      changes text;
    BEGIN
      FOR changes IN
        SELECT format('ALTER TABLE %s %s', c.oid::regclass,
                      string_agg(format('ALTER COLUMN %I TYPE timestamptz(3)', a.attname), ', '))
          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
           AND a.atttypid = 'timestamptz'::regtype AND a.atttypmod <> 3 AND NOT a.attisdropped
         GROUP BY c.oid
      LOOP
        EXECUTE changes;
      END LOOP;
    END $$`);
}
