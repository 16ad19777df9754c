import type { Sql } from '@lyceum/platform';
import type { OpenDatabase } from './open-database.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The nodes of the plan of the one statement that a repository sent. */
export async function planOf(database: OpenDatabase, ask: (sql: Sql) => Promise<unknown>): Promise<PlanNode[]> {
  const asked: { text: string; values: readonly unknown[] }[] = [];
  const listening = {
    query: (statement: { text: string }, values: readonly unknown[]) => {
      asked.push({ text: statement.text, values });
      return Promise.resolve([]);
    },
  };
  await ask(listening as unknown as Sql);
  expect(asked).toHaveLength(1);
  const [{ text, values } = { text: '', values: [] }] = asked;
  const [row] = await database.dataSource.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
    `explain (analyze, format json) ${text}`,
    [...values],
  );
  return flatten(row?.['QUERY PLAN'][0]?.Plan);
}

/** Rows that a node read, returned or not. */
export function rowsOf(node: PlanNode): number {
  return node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
}

function flatten(plan: PlanNode | undefined): PlanNode[] {
  return plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}
