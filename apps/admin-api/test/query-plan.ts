import type { Sql } from '@lyceum/platform';
import { planOf as planOfStatement, statementOf } from '@lyceum/testing';
import type { PlanNode } from '@lyceum/testing';
import type { OpenDatabase } from './open-database.js';

/** The nodes of the plan of the one statement that a repository sends. */
export async function planOf(
  { dataSource }: OpenDatabase,
  ask: (sql: Sql) => Promise<unknown>,
): Promise<readonly PlanNode[]> {
  return planOfStatement((text, values) => dataSource.query(text, values), await statementOf(ask));
}
