import type { EntityManager } from 'typeorm';

/**
 * Runs one statement in the manager's transaction and returns its rows. TypeORM returns a pair of rows and count for
 * UPDATE and DELETE, and the rows otherwise; this function always returns the rows.
 */
export async function rows<Row>(manager: EntityManager, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const result: unknown = await manager.query(text, [...values]);
  return (isPair(result) ? result[0] : result) as Row[];
}

function isPair(result: unknown): result is [unknown, number] {
  return Array.isArray(result) && result.length === 2 && typeof result[1] === 'number';
}
