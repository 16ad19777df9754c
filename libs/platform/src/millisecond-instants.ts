import type { QueryRunner } from 'typeorm';

/**
 * Gives every column of an instant that is in the database the precision of milliseconds: clients keep no more, and an
 * instant that came back shorter than it was stored would compare as earlier. One rewrite for each table.
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
