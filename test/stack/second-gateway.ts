import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startServiceProcess, untilServiceReady } from '@lyceum/local';
import { systemStack } from './system-stack.js';

export interface SecondGateway {
  readonly url: string;
  stop(): Promise<void>;
}

/** One more gateway of the stack, with settings of its own. */
export async function startSecondGateway(settings: Readonly<Record<string, string>>): Promise<SecondGateway> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-gateway-'));
  const [port, management] = [await freePort(), await freePort()];
  const environment = {
    ...systemStack().environments['mcp-gateway'],
    PORT: String(port),
    MANAGEMENT_PORT: String(management),
    ...settings,
  };
  const gateway = startServiceProcess('mcp-gateway', environment, join(directory, 'gateway.log'));
  const stop = async (): Promise<void> => {
    await gateway.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilServiceReady(gateway, `http://127.0.0.1:${management}`);
    return { url: `http://127.0.0.1:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
