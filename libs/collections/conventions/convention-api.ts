import { OPERATOR_SCOPES } from '@lyceum/contracts';
import type { DomainEvent, Reply, Site, ToolCatalog } from '@lyceum/contracts';
import { Sql, currentRequest } from '@lyceum/platform';
import { send } from '@lyceum/testing';
import type { ReceivedResponse } from '@lyceum/testing';
import pg from 'pg';
import { PEOPLE, SITES } from './callers.js';
import type { Caller, Callers } from './callers.js';
import type { Json } from './cases.js';
import type { Description } from './description.js';
import { assertProblem } from './problem.js';
import { RowDigests } from './row-digests.js';
import { ToolCaller } from './tool-caller.js';

export interface Request {
  readonly site?: Site;
  /** An operator with all scopes unless given; null sends no token. */
  readonly caller?: Caller | null;
  /** In place of the caller: the same person and client as in another request. */
  readonly token?: string;
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** No caller is an anonymous one. */
export type ToolRequest = Pick<Request, 'site' | 'caller'>;

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const LOG = `
  create table if not exists outbox_log (like outbox including indexes);
  create or replace function log_outbox() returns trigger language plpgsql as
    $$ begin insert into outbox_log values (new.*); return null; end $$;
  create or replace trigger log_outbox after insert on outbox for each row execute function log_outbox();`;

/** Requests of one caller: fewer than the quota of a minute. */
const REQUESTS = 100;

interface Running {
  readonly url: string;
  readonly databaseUrl: string;
  readonly callers: Callers;
  /** The variables with which a user of the NATS server connects. */
  readonly natsEnvironment: (user: string) => Readonly<Record<string, string>>;
  /** The table in which the service logs the changes of operators. */
  readonly log?: string;
}

interface Opened extends Running {
  readonly client: pg.Client;
  readonly tools: ToolCaller;
}

/** A service, its database and its statements. Checks are made before the service runs. */
export class ConventionApi {
  readonly sites = SITES;
  readonly #tokens = new Map<string, { token: string; used: number }>();
  #sent = 0;
  #digests: Promise<RowDigests> | undefined;
  #running: Opened | undefined;

  constructor(readonly description: Description) {}

  async open(running: Running): Promise<void> {
    const client = new pg.Client({ connectionString: running.databaseUrl });
    await client.connect();
    await client.query(LOG);
    this.#running = { ...running, client, tools: await ToolCaller.open(running.natsEnvironment) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#running?.client.end(), this.#running?.tools.close()]);
  }

  /** Calls a tool as the gateway does. */
  tool(name: string, args: Json, { site = SITES[0], caller = {} }: ToolRequest = {}): Promise<Reply> {
    const principal = caller && this.#open.callers.principal(site, { scopes: [...OPERATOR_SCOPES], ...caller });
    return this.#open.tools.call(name, args, { site, principal });
  }

  /** The descriptions of the service's tools. */
  tools(): Promise<ToolCatalog['tools']> {
    return this.#open.tools.offered();
  }

  /** Throws when the document does not describe the response. */
  async send(method: string, path: string, request: Request = {}): Promise<ReceivedResponse<Record<string, unknown>>> {
    const { site = SITES[0], caller, token, body, headers = {} } = request;
    // The checks send more than all people of a site may: its window begins again.
    if ((this.#sent += 1) % REQUESTS === 1) await this.query('delete from rate_windows');
    const bearer =
      token ?? (caller === undefined ? this.#operator(site) : caller === null ? null : this.token(caller, site));
    const all = {
      host: site.host,
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const response = await send<Record<string, unknown>>(this.#open.url, method, path, all, body);
    this.description.assert(method, path, response);
    assertProblem(response);
    return response;
  }

  /** Sends all requests by one person unless they name another, or each by the next person. */
  sendAsOne(one: boolean): void {
    const { callers } = this.#open;
    if ((callers.person !== undefined) === one) return;
    callers.person = one ? PEOPLE[0] : undefined;
    this.#tokens.clear();
  }

  token(caller: Caller = {}, site: Site = SITES[0]): string {
    return this.#open.callers.token(site, { scopes: [...OPERATOR_SCOPES], ...caller });
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#open.client.query<Row>(text, [...values])).rows;
  }

  /** A digest of the rows of all tables, those that the service has added to the outbox included. */
  async snapshot(): Promise<Json> {
    this.#digests ??= RowDigests.open((text, values) => this.query(text, values));
    return (await this.#digests).read();
  }

  /** The place of the newest message that was added to the outbox. */
  async position(): Promise<number> {
    const [newest] = await this.query<{ seq: number }>('select coalesce(max(seq), 0)::int as seq from outbox_log');
    return newest?.seq ?? 0;
  }

  /** Events that were added to the outbox since the position, without those of some entities. */
  async events(since: number, without: readonly string[] = []): Promise<readonly DomainEvent[]> {
    const rows = await this.query<{ event: DomainEvent }>(
      'select payload::jsonb as event from outbox_log where seq > $1 order by seq',
      [since],
    );
    return rows.map(({ event }) => event).filter(({ type }) => !without.includes(type.split('.')[1] ?? ''));
  }

  /** Reads the entries of a request in the log of changes, by event id. Undefined for a service without a log. */
  async logged(request_id: string): Promise<Json[] | undefined> {
    const { log } = this.#open;
    if (log === undefined) return undefined;
    return this.query<Json>(
      `select id, site_id, object_id, member_id, client_id, via from ${log} where request_id = $1`,
      [request_id],
    );
  }

  /** Prepared statements of the requests of the work. Queues look for jobs meanwhile. */
  async statements(work: () => Promise<unknown>): Promise<Statement[]> {
    const sent: Statement[] = [];
    // oxlint-disable-next-line unbound-method -- it is called with its instance below
    const original = Sql.prototype.query;
    Sql.prototype.query = function recorded<Row extends object>(
      this: Sql,
      ...[statement, values]: Parameters<Sql['query']>
    ): Promise<Row[]> {
      if (currentRequest() !== undefined) sent.push({ text: statement.text, values });
      return original.call(this, statement, values) as Promise<Row[]>;
    };
    try {
      await work();
    } finally {
      Sql.prototype.query = original;
    }
    // The table of quotas is no list.
    return sent.filter(({ text }) => !text.includes('rate_windows'));
  }

  #operator(site: Site): string {
    const known = this.#tokens.get(site.site_id);
    const current = known !== undefined && known.used < REQUESTS ? known : { token: this.token({}, site), used: 0 };
    current.used += 1;
    this.#tokens.set(site.site_id, current);
    return current.token;
  }

  get #open(): Opened {
    if (this.#running === undefined) throw new Error('The service does not run yet');
    return this.#running;
  }
}
