import type { ServiceName } from '@lyceum/contracts';
import { join } from 'node:path';
import type { Child } from './child.js';
import { Part, type Death } from './part.js';
import { startServiceProcess, untilServiceReady } from './service-process.js';
import type { ServicePorts } from './services.js';
import type { Upstream } from './upstreams.js';

/** A process of a service. */
export interface StackService {
  readonly name: ServiceName;
  /** From 1, in each service. */
  readonly replica: number;
  readonly internalUrl: string;
  readonly managementUrl: string;
  readonly logFile: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it if it does not run, from the folder of another release if one is given. Returns when it is ready. */
  start(root?: string): Promise<void>;
  /** Ends it in order. */
  halt(): Promise<void>;
  /** Ends it in order and starts it again, at the same address. */
  restart(root?: string): Promise<void>;
}

export interface ReplicaOptions {
  readonly name: ServiceName;
  readonly replica: number;
  readonly ports: ServicePorts;
  /** The environment of the service, apart from the ports. */
  readonly environment: () => Record<string, string>;
  readonly logDirectory: string;
  /** The folder of the release. */
  readonly root: string;
  readonly onDeath: (death: Death) => void;
}

export class ServiceReplica implements StackService, Upstream {
  readonly name: ServiceName;
  readonly replica: number;
  readonly logFile: string;
  readonly ports: ServicePorts;
  readonly #part: Part<Child>;
  #root: string;

  constructor({ name, replica, ports, environment, logDirectory, root, onDeath }: ReplicaOptions) {
    const title = replicaTitle(name, replica);
    this.name = name;
    this.replica = replica;
    this.logFile = join(logDirectory, `${title}.log`);
    this.ports = ports;
    this.#root = root;
    const launch = (): Child => {
      const own = { PORT: String(ports.port), MANAGEMENT_PORT: String(ports.managementPort) };
      return startServiceProcess(name, { ...environment(), ...own }, this.logFile, { root: this.#root });
    };
    this.#part = new Part({
      name: title,
      launch,
      untilReady: (child) => untilServiceReady(child, this.managementUrl),
      onDeath,
    });
  }

  get internalUrl(): string {
    return `http://127.0.0.1:${this.ports.port}`;
  }

  get managementUrl(): string {
    return `http://127.0.0.1:${this.ports.managementPort}`;
  }

  get url(): string {
    return this.internalUrl;
  }

  get readyUrl(): string {
    return `${this.managementUrl}/readyz`;
  }

  get pid(): number | undefined {
    return this.#part.pid;
  }

  kill(): Promise<void> {
    return this.#part.kill();
  }

  start(root = this.#root): Promise<void> {
    this.#root = root;
    return this.#part.start();
  }

  halt(): Promise<void> {
    return this.#part.stop();
  }

  async restart(root?: string): Promise<void> {
    await this.halt();
    await this.start(root);
  }
}

/** The name of a replica in logs and messages. The first one has the name of the service. */
export function replicaTitle(name: ServiceName, replica: number): string {
  return replica === 1 ? name : `${name}-${replica}`;
}
