import { types } from 'node:util';
import pg from 'pg';
import { JoinedQuery } from './joined-query.js';
import type { JoinedStatement } from './joined-query.js';
import { endStatementSpan, startStatementSpan } from './statement-span.js';

type Query = (...args: readonly unknown[]) => unknown;

/** A statement after which the transaction of its client ends. */
interface LastStatement extends JoinedStatement {
  readonly commits?: boolean;
}

interface Waiting {
  readonly statement: LastStatement;
  readonly result: PromiseWithResolvers<pg.QueryResult>;
}

const BEGIN = { name: 'start transaction', text: 'START TRANSACTION' };
const COMMIT = { name: 'commit', text: 'COMMIT' };
const NOTHING = { rows: [], rowCount: null, command: '', oid: 0, fields: [] } satisfies pg.QueryResult;

/**
 * Sends the start of a transaction with its first statement, its commit with the last one, and statements that start at
 * the same time together: the system call costs more than most statements (ADR 190).
 *
 * Adds a span for each statement of a sampled trace.
 *
 * Closes the connection after a query timeout. `pg` would keep waiting for the late response, and the pool would hand
 * out the blocked connection again.
 */
export class TransactionClient extends pg.Client {
  readonly #send: Query;
  /** `begun`: no statement has started it yet. `ended`: its last statement has committed it. */
  #transaction: 'none' | 'begun' | 'open' | 'ended' = 'none';
  #waiting: Waiting[] = [];

  constructor(config?: pg.ClientConfig) {
    super(config);
    // A connection may break in use; its query reports the error. Without a listener the process would exit.
    this.on('error', () => undefined);
    this.#send = this.query.bind(this);
    this.query = ((...args: readonly unknown[]) => this.#query(args)) as typeof this.query;
  }

  #query(args: readonly unknown[]): unknown {
    const [first] = args;
    if (first === BEGIN.text) {
      this.#transaction = 'begun';
      return Promise.resolve(NOTHING);
    }
    if (first === COMMIT.text || first === 'ROLLBACK') return this.#end(args);
    if (this.#transaction === 'ended') throw new Error('The transaction has ended');
    const statement = this.#transaction === 'none' ? undefined : joinable(args);
    return statement === undefined ? this.#run(args) : this.#join(statement);
  }

  /** Sends nothing for a transaction without a statement, and for one that has ended. */
  #end(args: readonly unknown[]): unknown {
    this.#flush();
    const before = this.#transaction;
    this.#transaction = 'none';
    return before === 'begun' || before === 'ended' ? Promise.resolve(NOTHING) : this.#run(args);
  }

  #join(statement: LastStatement): Promise<pg.QueryResult> {
    const waiting = waitingFor(statement);
    // Statements of concurrent work follow before the next tick.
    if (this.#waiting.push(waiting) === 1) process.nextTick(() => this.#flush());
    return waiting.result.promise;
  }

  #flush(): void {
    const waiting = this.#waiting.splice(0);
    const [first] = waiting;
    if (first === undefined) return;
    const begins = this.#transaction === 'begun';
    const ends = waiting.some(({ statement }) => statement.commits === true);
    this.#transaction = ends ? 'ended' : 'open';
    if (waiting.length === 1 && !begins && !ends) {
      first.result.resolve(this.#send(first.statement) as Promise<pg.QueryResult>);
      first.result.promise.catch((error: unknown) => this.#endIfDeaf(error));
      return;
    }
    const all = [...(begins ? [frame(BEGIN)] : []), ...waiting, ...(ends ? [frame(COMMIT)] : [])];
    const joined = new JoinedQuery(all.map(({ statement }) => statement));
    joined.callback = (error, results = []) => {
      if (error !== null && ends) this.#transaction = 'open';
      if (error !== null) this.#endIfDeaf(error);
      for (const [index, { result }] of all.entries()) {
        if (error === null) result.resolve(results[index] ?? NOTHING);
        else result.reject(error);
      }
    };
    this.#send(joined);
  }

  /** Sends what cannot be joined: a text without values, and what `pg` does not know. */
  #run(args: readonly unknown[]): unknown {
    this.#flush();
    if (this.#transaction === 'begun') {
      this.#transaction = 'open';
      // The statement behind it fails on the same connection.
      (this.#send(BEGIN.text) as Promise<unknown>).catch(() => undefined);
    }
    const span = startStatementSpan(args[0]);
    const result = this.#send(...args);
    if (types.isPromise(result)) {
      result.catch((error: unknown) => this.#endIfDeaf(error));
      if (span !== undefined) endStatementSpan(span, result);
    }
    return result;
  }

  #endIfDeaf(error: unknown): void {
    if (error instanceof Error && error.message === 'Query read timeout') this.end().catch(() => undefined);
  }
}

function waitingFor(statement: LastStatement): Waiting {
  const span = startStatementSpan(statement);
  const result = Promise.withResolvers<pg.QueryResult>();
  if (span !== undefined) endStatementSpan(span, result.promise);
  return { statement, result };
}

/** A statement whose failure fails those of its write. */
function frame(statement: JoinedStatement): Waiting {
  const waiting = waitingFor(statement);
  waiting.result.promise.catch(() => undefined);
  return waiting;
}

/** A statement with a name or values, which the extended protocol takes. */
function joinable([first, values]: readonly unknown[]): LastStatement | undefined {
  if (typeof first === 'string') {
    return Array.isArray(values) && values.length > 0 ? { text: first, values } : undefined;
  }
  if (values !== undefined || typeof first !== 'object' || first === null || 'submit' in first) return undefined;
  const { name, text, values: given = [] } = first as Partial<LastStatement>;
  return text !== undefined && (name !== undefined || given.length > 0) ? (first as LastStatement) : undefined;
}
