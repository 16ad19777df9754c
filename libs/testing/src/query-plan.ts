import { strict as assert } from 'node:assert';
import pg from 'pg';

/** A node of a plan, as `explain (analyze, format json)` of PostgreSQL shows it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** Rows of one loop. */
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

type Query = (text: string, values: unknown[]) => Promise<readonly object[]>;

/** Runs a statement, and returns the nodes of its plan with the root first. */
export async function planOf(query: Query, { text, values = [] }: Statement): Promise<readonly PlanNode[]> {
  const [row] = await query(`explain (analyze, format json) ${text}`, [...values]);
  const [{ Plan: root }] = (row as { readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] })['QUERY PLAN'];
  return nodesOf(root);
}

/** The same with the plan for all values, which PostgreSQL may choose once a prepared statement has run five times. */
export async function genericPlanOf(query: Query, { text, values = [] }: Statement): Promise<readonly PlanNode[]> {
  await query(`prepare planned as ${text}`, []);
  await query('set plan_cache_mode = force_generic_plan', []);
  try {
    return await planOf(query, { text: `execute planned (${values.map(literalOf).join(', ')})` });
  } finally {
    await query('reset plan_cache_mode', []);
    await query('deallocate planned', []);
  }
}

function literalOf(value: unknown): string {
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** Rows that a node read in all loops, returned or not. */
export function rowsRead(node: PlanNode): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node;
  return (node['Actual Rows'] + filtered + rechecked) * node['Actual Loops'];
}

/** The one statement that `ask` sends by a `Sql` of `@lyceum/platform`. It is not run: `ask` gets no rows. */
export async function statementOf<Sql>(ask: (sql: Sql) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = [];
  const listening = {
    query: ({ text }: Statement, values: readonly unknown[]): Promise<readonly object[]> => {
      sent.push({ text, values });
      return Promise.resolve([]);
    },
  };
  await ask(listening as Sql);
  const [statement] = sent;
  assert(statement !== undefined && sent.length === 1, `Sent ${sent.length} statements`);
  return statement;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
