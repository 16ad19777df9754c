import type { EntityManager } from 'typeorm';

/**
 * Runs one statement in the manager's transaction and gives its rows. TypeORM answers an UPDATE or DELETE with a pair of
 * rows and count, everything else with the rows; here it is always the rows.
 */
export async function rows<Row>(manager: EntityManager, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const answer: unknown = await manager.query(text, [...values]);
  const list = Array.isArray(answer) && answer.length === 2 && typeof answer[1] === 'number' ? answer[0] : answer;
  return list as Row[];
}
