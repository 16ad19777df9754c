import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { type Stack, startStack } from '@lyceum/local';
import { PATIENT_SETTINGS, eventually, mintToken } from '@lyceum/testing';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { graphql, listTools, send } from '../clients/http.ts';
import { clientOf, personOf, type SystemSite } from '../stack/system-stack.ts';

type Variables = Readonly<Record<string, string>>;
type Settings = Record<ServiceName, Variables>;

interface ConsumerList {
  readonly consumers: readonly {
    readonly name: string;
    readonly num_pending: number;
    readonly num_ack_pending: number;
  }[];
}

const SETTINGS: Readonly<Settings> = {
  // A site is suspended, reinstated, deleted and moved, and each time all replicas must notice.
  auth: { ...PATIENT_SETTINGS, SITE_CACHE_MS: '500' },
  'admin-api': PATIENT_SETTINGS,
  // A test that waits for events sends more requests than a member may.
  'member-api': { ...PATIENT_SETTINGS, RATE_LIMIT_POINTS: '100000' },
  'mcp-gateway': PATIENT_SETTINGS,
};
/** A generous limit: an idle machine needs a second. */
const RECOVERED_MS = 120_000;
/** For a connection to NATS: a frozen server accepts it and sends nothing. */
const CONNECTED_MS = 20_000;
const TRIAL_MS = 2_000;

/** A separate stack, for tests that break parts of it, and one of its sites. */
export class FaultStack {
  readonly stack: Stack;
  /** Data, secrets, mails and logs of the stack. */
  readonly directory: string;
  readonly site: SystemSite;
  /** The variables with which the services start. */
  readonly #settings: Settings;

  private constructor(stack: Stack, directory: string, site: SystemSite, settings: Settings) {
    this.stack = stack;
    this.directory = directory;
    this.site = site;
    this.#settings = settings;
  }

  /** @param filled True brings the content of the demo, which takes more than half of the time. */
  static async start(filled = false): Promise<FaultStack> {
    const directory = mkdtempSync(join(tmpdir(), 'lyceum-fault-'));
    const settings = { ...SETTINGS };
    const stack = await startStack({ directory, durable: false, filled, settings });
    const fault = new FaultStack(stack, directory, stack.sites[0]!, settings);
    await fault.#untilKnown();
    return fault;
  }

  /** The same stack with another one of its sites. */
  at(index: number): FaultStack {
    return new FaultStack(this.stack, this.directory, this.stack.sites[index]!, this.#settings);
  }

  /** Changes variables of a service from its next start on. */
  set(service: ServiceName, variables: Variables): void {
    this.#settings[service] = { ...this.#settings[service], ...variables };
  }

  /** A new token of the first person with this role. */
  async mint(role: string, audience: 'operator' | 'member', scope: string): Promise<string> {
    const { site } = this;
    return (await mintToken({ site, ...personOf(site, role), ...clientOf(site, audience, 'public'), scope }))
      .access_token;
  }

  /** A new token of the site's owner, for the operator API. */
  operatorToken(): Promise<string> {
    return this.mint('owner', 'operator', 'openid courses:read courses:write students:read students:write');
  }

  /** A new token of the site's first student, for the member API. */
  memberToken(): Promise<string> {
    return this.mint('student', 'member', 'openid account:read account:write');
  }

  /** … with the client that may revoke it. */
  async memberTokens(): Promise<{ access_token: string; client_id: string }> {
    return {
      access_token: await this.mint('student', 'member', 'openid account:read'),
      client_id: clientOf(this.site, 'member', 'public').client_id,
    };
  }

  /** A connection of the user that may do everything. */
  connectNats(timeout = CONNECTED_MS): Promise<NatsConnection> {
    const { nats } = this.stack;
    const pass = nats.userPassword('admin') ?? '';
    return connect({ servers: nats.url, user: 'admin', pass, timeout });
  }

  /** The number of events that consumers of the member API have not applied yet, those of other sites included. */
  async waitingEvents(timeout = CONNECTED_MS): Promise<number> {
    const admin = await this.connectNats(timeout);
    try {
      let count = 0;
      for (const stream of ['IDENTITY', 'SCHOOL']) {
        const reply = (await admin.request(`$JS.API.CONSUMER.LIST.${stream}`, '')).json<ConsumerList>();
        for (const { name, num_pending, num_ack_pending } of reply.consumers) {
          if (name.startsWith('member-api-')) count += num_pending + num_ack_pending;
        }
      }
      return count;
    } finally {
      await admin.close();
    }
  }

  /** Restarts the services whose variables were changed, with those of the first start. */
  async reset(): Promise<void> {
    const changed = this.#changed();
    Object.assign(this.#settings, SETTINGS);
    await Promise.all(changed.map((name) => this.stack.restart(name)));
  }

  /**
   * Rejects unless the stack is as after its start: all parts run with the first settings, the surfaces of the site
   * work, and no event waits.
   */
  async checkIntact(limitMs = RECOVERED_MS): Promise<void> {
    const changed = this.#changed();
    if (changed.length > 0) throw new Error(`Changed settings: ${changed.join(', ')}`);
    const stopped = this.stack.services.filter(({ pid }) => pid === undefined).map(({ name }) => name);
    if (stopped.length > 0) throw new Error(`Stopped: ${stopped.join(', ')}`);
    await eventually(
      () => this.#surfaces().catch(String),
      (statuses) => String(statuses) === '200,200,200',
      limitMs,
    );
    await eventually(
      () => this.waitingEvents(TRIAL_MS).catch(String),
      (count) => count === 0,
      limitMs,
    );
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #changed(): ServiceName[] {
    return SERVICES.filter((name) => this.#settings[name] !== SETTINGS[name]);
  }

  /** The statuses of the operator API, the member API and the tools, with new tokens. */
  async #surfaces(): Promise<number[]> {
    const { base_url } = this.site;
    const [operator, member] = await Promise.all([this.operatorToken(), this.memberToken()]);
    const responses = await Promise.all([
      send(`${base_url}/api/v1/courses`, { token: operator }),
      graphql(base_url, member, '{ viewer { name } }'),
      listTools(base_url, member),
    ]);
    return responses.map(({ status }) => status);
  }

  /** Waits until the events of auth have made the student known to the school and to the member API. */
  async #untilKnown(): Promise<void> {
    const { base_url } = this.site;
    const [operator, member] = await Promise.all([this.operatorToken(), this.memberToken()]);
    const { email } = personOf(this.site, 'student');
    const path = `/api/v1/students?email=${encodeURIComponent(email)}`;
    await eventually(
      () => send<{ data: readonly unknown[] }>(`${base_url}${path}`, { token: operator }),
      ({ body }) => body.data.length === 1,
    );
    await eventually(
      () => graphql<{ viewer: object | null }>(base_url, member, '{ viewer { name } }'),
      ({ body }) => (body.data?.viewer ?? null) !== null,
    );
  }
}
