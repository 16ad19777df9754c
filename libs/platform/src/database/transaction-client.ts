import pg from 'pg';
import { JoinedQuery } from './joined-query.js';
import type { JoinedStatement } from './joined-query.js';
import { endStatementSpan, startStatementSpan } from './statement-span.js';

type Query = (...args: readonly unknown[]) => unknown;
type Callback<Result = pg.QueryResult> = (error: Error | null, result?: Result) => void;

export interface TransactionClientConfig extends pg.ClientConfig {
  /** Milliseconds after which a query without a response fails. 0: never. */
  readonly responseTimeoutMillis?: number;
}

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
 * Closes the connection after the response timeout: the late response would block it for the next query.
 *
 * No callback of a query refers to the query. Those of the promises of `pg`, and of its `query_timeout`, do, and the
 * rows of such queries grow old in the heap (ADR 210).
 */
export class TransactionClient extends pg.Client {
  readonly #send: Query;
  readonly #timeoutMs: number;
  /** `begun`: no statement has started it yet. `ended`: its last statement has committed it. */
  #transaction: 'none' | 'begun' | 'open' | 'ended' = 'none';
  #waiting: Waiting[] = [];

  constructor(config?: TransactionClientConfig) {
    super(config);
    this.#timeoutMs = config?.responseTimeoutMillis ?? 0;
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
      this.#send(first.statement, this.#timed(callbackOf(first.result)));
      return;
    }
    const all = [...(begins ? [frame(BEGIN)] : []), ...waiting, ...(ends ? [frame(COMMIT)] : [])];
    const joined = new JoinedQuery(all.map(({ statement }) => statement));
    joined.callback = this.#timed<readonly pg.QueryResult[]>((error, results = []) => {
      if (error !== null && ends) this.#transaction = 'open';
      for (const [index, { result }] of all.entries()) {
        if (error === null) result.resolve(results[index] ?? NOTHING);
        else result.reject(error);
      }
    });
    this.#send(joined);
  }

  /** Sends what cannot be joined: a text without values, and what `pg` does not know. */
  #run(args: readonly unknown[]): unknown {
    this.#flush();
    if (this.#transaction === 'begun') {
      this.#transaction = 'open';
      // The statement behind it fails on the same connection.
      this.#answered([BEGIN.text]).catch(() => undefined);
    }
    const callback = args.at(-1);
    if (typeof callback === 'function') return this.#send(...args.slice(0, -1), this.#timed(callback as Callback));
    if (isSubmittable(args[0])) return this.#send(...args);
    const span = startStatementSpan(args[0]);
    const result = this.#answered(args);
    if (span !== undefined) endStatementSpan(span, result);
    return result;
  }

  /** Its error has the stack of the work that waits for it. */
  #answered(args: readonly unknown[]): Promise<pg.QueryResult> {
    const result = Promise.withResolvers<pg.QueryResult>();
    this.#send(...args, this.#timed(callbackOf(result)));
    return result.promise.catch((error: Error) => {
      Error.captureStackTrace(error);
      throw error;
    });
  }

  /** Calls back with the response. After the timeout, calls back with an error and closes the connection. */
  #timed<Result>(callback: Callback<Result>): Callback<Result> {
    if (this.#timeoutMs === 0) return callback;
    const timer = setTimeout(() => {
      callback(new Error('Query read timeout'));
      this.end().catch(() => undefined);
    }, this.#timeoutMs);
    return (error, result) => {
      clearTimeout(timer);
      callback(error, result);
    };
  }
}

function callbackOf({ resolve, reject }: PromiseWithResolvers<pg.QueryResult>): Callback {
  return (error, result = NOTHING) => {
    if (error) reject(error);
    else resolve(result);
  };
}

/** A query that sends itself. */
function isSubmittable(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'submit' in query;
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
  if (values !== undefined || typeof first !== 'object' || first === null || isSubmittable(first)) return undefined;
  const { name, text, values: given = [] } = first as Partial<LastStatement>;
  return text !== undefined && (name !== undefined || given.length > 0) ? (first as LastStatement) : undefined;
}
