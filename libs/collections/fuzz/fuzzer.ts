import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { RateLimiter } from '@lyceum/rate-limit';
import type { RunningService } from '@lyceum/platform';
import type { ReceivedResponse } from '@lyceum/testing';
import fc from 'fast-check';
import { SITES, assertProblem } from '../conventions/index.js';
import type { ConventionApi, Description, Subject } from '../conventions/index.js';
import { exchange, inFlight } from './exchange.js';
import { Known } from './known.js';
import { Requests } from './requests.js';
import type { FuzzRequest } from './requests.js';
import { ChangeLog } from './row-changes.js';

const IN_FLIGHT = 16;
const BATCH = 128;
/** Batches between two looks at the number of requests. */
const RUNS = 20;
/** Milliseconds for the search of a smaller batch after a violation. */
const SEARCH_MS = 10_000;
/** Attempts to have a token checked, and the milliseconds between them. */
const [ATTEMPTS, PAUSE] = [5, 1_000];
const SHOWN = 600;
const HITS = 1_000_000_000;

export interface FuzzOptions {
  readonly service: RunningService;
  /** Sends and reads by it, and knows the database. */
  readonly api: ConventionApi;
  /** Responses have to be as it says. */
  readonly description: Description;
  readonly subjects: readonly Subject[];
  /** Milliseconds in which a response is complete. */
  readonly limit?: number | undefined;
  /** Milliseconds of the search for a smaller batch. */
  readonly search?: number | undefined;
}

interface Answered {
  readonly id: string;
  readonly request: FuzzRequest;
  readonly response: ReceivedResponse | undefined;
  /** The rule that the response breaks. */
  readonly violation: string | undefined;
}

/** Responses by operation and status. */
export type Statuses = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * Sends batches of generated requests. Each response comes in time, is no 5xx, and is described; only accepted writes
 * change rows. fast-check looks for a smaller batch that breaks the same rules.
 */
export class Fuzzer {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  readonly #statuses = new Map<string, Map<number, number>>();
  /** Whether a request may change rows, by its id. */
  readonly #accepted = new Map<string, { readonly accepted: boolean; readonly line: string }>();
  readonly #violations = new Map<string, string>();
  #sent = 0;

  private constructor(
    private readonly options: FuzzOptions,
    private readonly known: Known,
    private readonly changes: ChangeLog,
  ) {}

  static async open(options: FuzzOptions): Promise<Fuzzer> {
    const { api, service, subjects } = options;
    raiseLimits(service);
    const known = await Known.make(subjects);
    return new Fuzzer(options, known, await ChangeLog.open(api));
  }

  get sent(): number {
    return this.#sent;
  }

  get statuses(): Statuses {
    return this.#statuses;
  }

  /**
   * Sends at least so many requests. Throws with the violations of the smallest batch that was found, or, if `all`,
   * with one violation of each kind.
   */
  async run(count: number, seed: number, all = false): Promise<void> {
    const requests = new Requests(this.options.api, this.known).all();
    const batches = fc.array(requests, { minLength: 1, maxLength: BATCH, size: 'max' });
    const search = new Search(this.options.search ?? SEARCH_MS);
    const property = fc.asyncProperty(batches, async (batch) => {
      if (search.isOver) return;
      const violations = await this.#violationsOf(batch);
      if (all) for (const violation of violations) this.#violations.set(kindOf(violation), violation);
      else if (violations.length > 0) throw search.failure(violations);
    });
    const until = this.#sent + count;
    for (let round = 0; this.#sent < until; round += 1) {
      const numRuns = Math.min(RUNS, Math.ceil((until - this.#sent) / (BATCH / 2)));
      const { failed, counterexample, errorInstance } = await fc.check(property, { seed: seed + round, numRuns });
      if (failed) throw failureOf(seed, counterexample?.[0] ?? [], errorInstance);
    }
    if (this.#violations.size > 0) throw new Error(`Seed ${seed}\n${[...this.#violations.values()].join('\n')}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #violationsOf(batch: readonly FuzzRequest[]): Promise<string[]> {
    const answered = await inFlight(IN_FLIGHT, batch, (request) => this.#send(request));
    const own = answered.flatMap(({ request, violation }) =>
      violation === undefined ? [] : [`${lineOf(request)}\n  ${violation}`],
    );
    const changes = await this.changes.take();
    return [...own, ...changes.flatMap(({ tables, requests }) => this.#changedBy(tables, requests))];
  }

  #changedBy(tables: readonly string[], requests: readonly string[]): string[] {
    // A message without a request is of a task of the service itself.
    if (tables.includes('outbox') && requests.length === 0) return [];
    if (requests.length === 0) return [`A transaction without a message changed ${tables.join(', ')}`];
    return requests.flatMap((id) => {
      const { accepted = false, line = 'Another request' } = this.#accepted.get(id) ?? {};
      return accepted ? [] : [`${line}\n  It was not accepted, and changed ${tables.join(', ')}`];
    });
  }

  async #send(request: FuzzRequest): Promise<Answered> {
    const id = `fuzz-${(this.#sent += 1)}`;
    const { limit = 10_000 } = this.options;
    const headers = { ...request.headers, 'x-request-id': id };
    let response: ReceivedResponse | undefined;
    let violation: string | undefined;
    try {
      response = await this.#exchange({ ...request, headers }, limit);
      this.#check(request, response);
    } catch (error) {
      violation = error instanceof Error ? error.message : String(error);
    }
    this.#note(id, request, response);
    return { id, request, response, violation };
  }

  /** Service, fuzzer and introspection share a thread, so the service can miss its time for the check of a token. */
  async #exchange(request: FuzzRequest, limit: number): Promise<ReceivedResponse> {
    const to = { url: this.options.service.url, agent: this.#agent, limit };
    for (let attempt = 1; ; attempt += 1) {
      const response = await exchange(request, to);
      if (!isUnchecked(response) || attempt === ATTEMPTS) return response;
      await setTimeout(PAUSE);
    }
  }

  #check({ method, target }: FuzzRequest, response: ReceivedResponse): void {
    assertProblem(response);
    this.options.description.assert(method, target, response);
  }

  #note(id: string, request: FuzzRequest, response: ReceivedResponse | undefined): void {
    const { operation, method } = request;
    const status = response?.status ?? 0;
    const counts = this.#statuses.get(operation) ?? new Map<number, number>();
    this.#statuses.set(operation, counts.set(status, (counts.get(status) ?? 0) + 1));
    const isDry = response?.headers['dry-run'] === 'true' || request.target.endsWith('?dry_run=true');
    // The service may accept what it was too late to answer.
    const accepted = method !== 'GET' && status < 300 && !isDry;
    const { location, etag = '' } = response?.headers ?? {};
    if (accepted && status === 201 && location !== undefined && request.headers['host'] === SITES[0].host) {
      this.known.add(location, etag);
    }
    this.#accepted.set(id, { accepted, line: accepted ? '' : `${lineOf(request)} → ${status}` });
  }
}

/** After a violation fast-check tries smaller batches, for a limited time. */
class Search {
  #began: number | undefined;

  constructor(private readonly limit: number) {}

  get isOver(): boolean {
    return this.#began !== undefined && performance.now() - this.#began > this.limit;
  }

  failure(violations: readonly string[]): Error {
    this.#began ??= performance.now();
    return new Error(violations.join('\n'));
  }
}

function failureOf(seed: number, batch: readonly FuzzRequest[], error: unknown): Error {
  const size = batch.length === 1 ? '1 request' : `${batch.length} requests`;
  return new Error(
    `Seed ${seed}. The smallest batch has ${size}:\n${batch.map(lineOf).join('\n')}\n\n${String(error)}`,
  );
}

/** The fuzzer sends more than all people of a site may. */
function raiseLimits({ app }: RunningService): void {
  const limiter = app.get(RateLimiter, { strict: false });
  const take = limiter.take.bind(limiter);
  limiter.take = (limit, subject, cost) => take({ ...limit, hits: HITS, unshared: HITS }, subject, cost);
}

function isUnchecked({ status, body }: ReceivedResponse): boolean {
  return status === 503 && body['error'] === 'temporarily_unavailable';
}

function lineOf({ method, target, headers, body }: FuzzRequest): string {
  const { host: _host, authorization = '', ...more } = headers;
  const caller = authorization.startsWith('Bearer ey')
    ? callerOf(authorization.slice('Bearer '.length))
    : authorization;
  const text = [method, target, JSON.stringify(more), caller, body === undefined ? '' : String(body)].join(' ');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function callerOf(token: string): string {
  const { roles, scopes } = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, string[]>;
  return `[${roles?.join(' ')}, ${scopes?.length} scopes]`;
}

/** The operation and the rule, without the values of the request. */
function kindOf(violation: string): string {
  const [line = '', rule = line] = violation.split('\n');
  const [method, target = ''] = line.split(' ');
  const path = target.split('?', 1)[0]?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}');
  return `${method} ${path} ${rule.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|"[^"]*"|\?\S+|\d+/g, '').slice(0, 160)}`;
}
