import pg from 'pg';
import { columnTypes } from './column-types.js';

/** A statement of the extended protocol. */
export interface JoinedStatement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: unknown[] | undefined;
}

/** A connection of `pg`, with members that `@types/pg` lacks. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  sync(): void;
}

/** A query of `pg`, with members that `@types/pg` lacks. */
interface Query {
  readonly name?: string | undefined;
  readonly text: string;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

/**
 * Statements in one write, with one `Sync` (PostgreSQL, 54.2.4): the server runs them one after the other and sends one
 * response. It skips those behind a failure, so all of them fail with its error.
 */
export class JoinedQuery implements pg.Submittable {
  /** The client sets it, and wraps it in its timer. */
  callback: ((error: Error | null, results?: readonly pg.QueryResult[]) => void) | undefined;
  readonly #queries: readonly Query[];
  readonly #results: pg.QueryResult[] = [];
  /** The place of the statement whose response comes next. */
  #at = 0;
  #error: Error | undefined;

  constructor(statements: readonly JoinedStatement[]) {
    this.#queries = statements.map((statement, index) => {
      const config = { ...statement, types: columnTypes, queryMode: 'extended' };
      const query = new pg.Query(config, (error: Error | null | undefined, result: unknown) => {
        if (error) this.#error ??= error;
        else this.#results[index] = result as pg.QueryResult;
      });
      return query as unknown as Query;
    });
  }

  /** The client notes under this name that the server has parsed the statement. */
  get name(): string | undefined {
    return this.#queries[this.#at]?.name;
  }

  get text(): string | undefined {
    return this.#queries[this.#at]?.text;
  }

  /** Returns an error if a name has another text. */
  submit(given: pg.Connection): Error | null {
    const connection = given as unknown as Connection;
    const renamed = this.#queries.find(({ name = '', text }) => (parsed(connection, name) ?? text) !== text);
    if (renamed !== undefined) return new Error(`The statement ${renamed.name} has another text`);
    // A query would end the write, and close a statement that others have prepared, after a value that cannot be sent.
    const inner = { sync: () => undefined, close: () => undefined };
    const part = Object.assign(Object.create(connection) as Connection, inner);
    connection.stream.cork();
    try {
      for (const query of this.#queries) {
        query.prepare(part);
        // The statements behind it must not run.
        if (this.#error !== undefined) break;
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.#queries[this.#at]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#queries[this.#at]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#queries[this.#at]?.handleCommandComplete(message, connection);
    this.#at += 1;
  }

  handleEmptyQuery(): void {
    this.#at += 1;
  }

  handleError(error: Error, { parsedStatements, submittedNamedStatements }: Connection): void {
    // The server has not parsed the statements that it skipped.
    for (const { name = '' } of this.#queries) if (!(name in parsedStatements)) delete submittedNamedStatements[name];
    this.callback?.(error);
  }

  handleReadyForQuery(connection: Connection): void {
    if (this.#error === undefined) for (const query of this.#queries) query.handleReadyForQuery(connection);
    if (this.#error === undefined) this.callback?.(null, this.#results);
    else this.callback?.(this.#error);
  }
}

function parsed({ parsedStatements, submittedNamedStatements }: Connection, name: string): string | undefined {
  return name === '' ? undefined : (parsedStatements[name] ?? submittedNamedStatements[name]);
}
