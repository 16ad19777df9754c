import { compile } from './compiler.js';
import { NotCompilable } from './json-object.js';
import { costOf, depthOf, total } from './limits.policy.js';
import type { Cost } from './limits.policy.js';
import { variablesOf } from './arguments.js';
import { pageArguments } from './pages.js';
import type { SelectedField, SelectedObject, Variables } from './selection.js';
import type { Sources } from './sources.js';
import type { Statement } from './statement.js';

/** One shape of an operation: its selection after @skip and @include. Cached with its document. */
export class PreparedOperation {
  readonly depth: number;
  /** Undefined when a selected field has no source in SQL. */
  readonly statement: Statement | undefined;
  readonly #cost: Cost;
  readonly #constantCost: number | undefined;
  #name: string | undefined;
  #runs = 0;

  constructor(selection: SelectedObject, from: string, sources: Sources, variables: Variables) {
    this.depth = depthOf(selection);
    this.statement = compileIfPossible(selection, from, sources, variables);
    this.#cost = costOf(selection, sources);
    if (connectionsOf(this.#cost).every((field) => variablesOf(field).length === 0)) {
      this.#constantCost = this.#sum(variables);
    }
  }

  /** At least 1. */
  cost(variables: Variables): number {
    return this.#constantCost ?? this.#sum(variables);
  }

  /** The name of the prepared statement in PostgreSQL; undefined while it has none. */
  nameForRun(give: (runs: number) => string | undefined): string | undefined {
    this.#runs += 1;
    return (this.#name ??= give(this.#runs));
  }

  #sum(variables: Variables): number {
    return Math.max(
      1,
      total(this.#cost, (field) => sizeOf(field, variables)),
    );
  }
}

/** An invalid page reads no rows. */
function sizeOf(field: SelectedField, variables: Variables): number {
  try {
    return pageArguments(field, variables).size;
  } catch {
    return 1;
  }
}

function connectionsOf({ perNode }: Cost): SelectedField[] {
  return [...perNode].flatMap(([field, cost]) => [field, ...connectionsOf(cost)]);
}

function compileIfPossible(...given: Parameters<typeof compile>): Statement | undefined {
  try {
    return compile(...given);
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}
