import type { EntityManager } from 'typeorm';

/**
 * Runs one statement in the manager's transaction and gives its rows. TypeORM answers an UPDATE or DELETE with a pair of
 * rows and count, everything else with the rows; here it is always the rows.
 */
export async function rows<Row>(manager: EntityManager, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const result: unknown = await manager.query(text, [...values]);
  return (isPair(result) ? result[0] : result) as Row[];
}

function isPair(result: unknown): result is [unknown, number] {
  return Array.isArray(result) && result.length === 2 && typeof result[1] === 'number';
}
