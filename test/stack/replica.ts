import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, freePort, startServiceProcess, untilServiceReady } from '@lyceum/local';
import { systemStack, type SystemService } from './system-stack.js';

export interface Replica {
  readonly url: string;
  readonly managementUrl: string;
  readonly process: Child;
  stop(): Promise<void>;
}

/** Null leaves a variable of the stack out, so that the service takes its default. */
export type ReplicaSettings = Readonly<Record<string, string | null>>;

/** Starts another replica of a service of the stack. Its log is a temporary file. */
export async function startReplica(name: SystemService['name'], settings: ReplicaSettings): Promise<Replica> {
  const directory = mkdtempSync(join(tmpdir(), `lyceum-${name}-`));
  const [port, management] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), MANAGEMENT_PORT: String(management) };
  const variables = Object.entries({ ...systemStack().environments[name], ...ports, ...settings });
  const environment = Object.fromEntries(variables.filter((pair): pair is [string, string] => pair[1] !== null));
  const process = startServiceProcess(name, environment, join(directory, `${name}.log`));
  const managementUrl = `http://127.0.0.1:${management}`;
  const stop = async (): Promise<void> => {
    await process.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilServiceReady(process, managementUrl);
    return { url: `http://127.0.0.1:${port}`, managementUrl, process, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
