import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, mintToken } from '@lyceum/testing';
import { type Replica, startReplica } from '../stack/replica.js';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';

/** The interval of readiness checks: the balancer sends requests to a stopping replica for this long. */
const PROBE_MS = 1_000;
const CLIENTS = 8;
/** The delay is the default of a deployment. The limit is raised, because the clients send more than a member may. */
const SETTINGS = { SHUTDOWN_DELAY_MS: null, RATE_LIMIT_POINTS: '1000000' };
const QUERY = JSON.stringify({ query: '{ viewer { name } }' });

const site = systemStack().sites[0]!;
const { host } = new URL(site.base_url);

/** Sends requests to ready replicas in turn over kept-alive connections. */
class Balancer {
  readonly statuses: (number | string)[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #ready = new Set<Replica>();
  readonly #probes: NodeJS.Timeout[] = [];
  #turn = 0;
  #stopping = false;
  #clients: Promise<unknown> = Promise.resolve();

  constructor(readonly token: string) {}

  async add(replica: Replica): Promise<void> {
    await this.#probe(replica);
    this.#probes.push(setInterval(() => void this.#probe(replica), PROBE_MS));
  }

  uses(replica: Replica): boolean {
    return this.#ready.has(replica);
  }

  start(): void {
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, () => this.#client()));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const probe of this.#probes) clearInterval(probe);
    await this.#clients;
    this.#agent.destroy();
  }

  async #probe(replica: Replica): Promise<void> {
    const ready = await fetch(`${replica.managementUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) this.#ready.add(replica);
    else this.#ready.delete(replica);
  }

  async #client(): Promise<void> {
    while (!this.#stopping) {
      const replicas = [...this.#ready];
      const replica = replicas[(this.#turn += 1) % replicas.length];
      // A busy machine may fail one probe of each. A balancer then waits, too.
      if (replica !== undefined) this.statuses.push(await this.#send(replica).catch((error: unknown) => String(error)));
      // Requests follow one after the other through the whole restart.
      await sleep(20);
    }
  }

  #send(replica: Replica): Promise<number> {
    const headers = { host, authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request(`${replica.url}/member/graphql`, { agent: this.#agent, method: 'POST', headers });
      sent.once('response', (response) => {
        response.resume().once('end', () => resolve(response.statusCode!));
        response.once('error', reject);
      });
      sent.once('error', reject);
      sent.end(QUERY);
    });
  }
}

describe('a rolling restart with the default settings', () => {
  const replicas: Replica[] = [];
  const start = async (): Promise<Replica> => {
    const replica = await startReplica('member-api', SETTINGS);
    replicas.push(replica);
    return replica;
  };
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
  });

  it('fails no request of a balancer that follows /readyz', async () => {
    const { access_token } = await mintToken({
      site,
      ...personOf(site, 'student'),
      ...clientOf(site, 'member', 'public'),
      scope: 'openid account:read',
    });
    const balancer = new Balancer(access_token);
    const first = await start();
    await balancer.add(first);
    balancer.start();
    try {
      const second = await start();
      await balancer.add(second);
      const before = balancer.statuses.length;
      await eventually(
        async () => balancer.statuses.length - before,
        (count) => count > CLIENTS,
      );
      const exit = await first.process.stop(60_000);
      expect(exit).toEqual({ code: 0, signal: null });
      await eventually(() => !balancer.uses(first) && balancer.uses(second));
    } finally {
      await balancer.stop();
    }
    expect(balancer.statuses.filter((status) => status !== 200)).toEqual([]);
    expect(balancer.statuses.length).toBeGreaterThan(100);
  });
});
