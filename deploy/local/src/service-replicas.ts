import { SERVICES, type ServiceName } from '@lyceum/contracts';
import type { Death } from './part.js';
import { freePort } from './ports.js';
import { ServiceReplica, type ReplicaOptions } from './service-replica.js';

export interface ReplicasOptions extends Pick<ReplicaOptions, 'logDirectory' | 'root'> {
  /** Services with another number of replicas than 1. */
  readonly counts: Readonly<Partial<Record<ServiceName, number>>>;
  readonly environment: (name: ServiceName) => Record<string, string>;
  /** Called for each end without a stop. `isLast`: no other replica of the service runs. */
  readonly onDeath: (name: ServiceName, death: Death, isLast: boolean) => void;
}

/** The replicas of all services, each with its own ports. */
export class ServiceReplicas {
  readonly all: readonly ServiceReplica[];

  private constructor(all: readonly ServiceReplica[]) {
    this.all = all;
  }

  static async create({ counts, environment, onDeath, ...common }: ReplicasOptions): Promise<ServiceReplicas> {
    const all: ServiceReplica[] = [];
    const isLast = (name: ServiceName): boolean => !all.some((one) => one.name === name && one.pid !== undefined);
    for (const name of SERVICES) {
      for (let replica = 1; replica <= (counts[name] ?? 1); replica += 1)
        all.push(
          new ServiceReplica({
            ...common,
            name,
            replica,
            ports: { port: await freePort(), managementPort: await freePort() },
            environment: () => environment(name),
            onDeath: (death) => onDeath(name, death, isLast(name)),
          }),
        );
    }
    return new ServiceReplicas(all);
  }

  of(name: ServiceName): ServiceReplica[] {
    return this.all.filter((one) => one.name === name);
  }

  /** The replica whose ports are those of the service in its environment. */
  first(name: ServiceName): ServiceReplica {
    const found = this.all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`${name} has no replica`);
    return found;
  }

  /** One replica after the other, because each start takes a core for seconds. */
  async start(name: ServiceName): Promise<void> {
    for (const one of this.of(name)) await one.start();
  }

  async halt(name: ServiceName): Promise<void> {
    await Promise.all(this.of(name).map((one) => one.halt()));
  }

  async kill(name: ServiceName): Promise<void> {
    await Promise.all(this.of(name).map((one) => one.kill()));
  }

  /** One replica after the other, so that a service with several goes on serving. */
  async restart(name: ServiceName): Promise<void> {
    for (const one of this.of(name)) await one.restart();
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((one) => one.halt()));
  }
}
