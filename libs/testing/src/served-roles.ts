import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { TOPOLOGY } from '@lyceum/contracts';
import { eventually } from '@lyceum/local';
import type { TestNats } from './test-nats.js';

/** Observes which work the replicas of a service do, at NATS. */
export class ServedRoles {
  private constructor(
    private readonly connection: NatsConnection,
    private readonly service: string,
  ) {}

  static async open(nats: Pick<TestNats, 'environment'>, service: string): Promise<ServedRoles> {
    const { NATS_URL, NATS_PASSWORD } = nats.environment('admin');
    return new ServedRoles(await connect({ servers: NATS_URL, user: 'admin', pass: NATS_PASSWORD }), service);
  }

  /** Consumers of the service, and how many of them a replica pulls from. */
  async consumers(): Promise<{ all: number; pulled: number }> {
    const { consumers } = await jetstreamManager(this.connection);
    const own = TOPOLOGY.consumers.filter(({ name }) => name.startsWith(`${this.service}-`));
    const found = await Promise.all(own.map(({ stream, name }) => consumers.info(stream, name)));
    return { all: found.length, pulled: found.filter(({ num_waiting }) => num_waiting > 0).length };
  }

  /** Resolves when a replica pulls from each consumer of the service. */
  async untilPulled(): Promise<void> {
    await eventually(async () => {
      const { all, pulled } = await this.consumers();
      return all > 0 && pulled === all;
    });
  }

  /** True when a replica responds to requests over NATS. */
  async responds(): Promise<boolean> {
    try {
      await this.connection.request(`$SRV.PING.${this.service}`, '', { timeout: 1_000 });
      return true;
    } catch {
      return false;
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
