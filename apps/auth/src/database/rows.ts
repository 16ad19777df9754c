import type { EntityManager } from 'typeorm';

/**
 * Runs one statement in the manager's transaction and gives its rows. TypeORM answers an UPDATE or DELETE with a pair of
 * rows and count, everything else with the rows; here it is always the rows.
 */
export async function rows<Row>(manager: EntityManager, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const answer: unknown = await manager.query(text, [...values]);
  return (isPair(answer) ? answer[0] : answer) as Row[];
}

function isPair(answer: unknown): answer is [unknown, number] {
  return Array.isArray(answer) && answer.length === 2 && typeof answer[1] === 'number';
}
