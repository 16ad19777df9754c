import { freePort, type Stack, startServiceProcess, untilServiceReady } from '@lyceum/local';
import { onDatabase } from './data/database.ts';

export interface Twin {
  readonly origin: string;
  stop(): Promise<void>;
}

/** A second auth on a copy of the database as it is now, so that the two can be asked in turn once they differ. */
export async function startTwin(stack: Stack): Promise<Twin> {
  const url = new URL(stack.databaseUrl('auth'));
  const original = url.pathname.slice(1);
  // Copying wants the database for itself.
  await stack.halt('auth');
  await onDatabase(stack.postgres!.adminUrl, (client) =>
    client.query(`CREATE DATABASE bench_twin TEMPLATE ${client.escapeIdentifier(original)}`),
  );
  await stack.start('auth');
  url.pathname = '/bench_twin';
  const [port, managementPort] = [await freePort(), await freePort()];
  const environment = {
    ...stack.environment('auth'),
    DATABASE_URL: url.href,
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
  };
  const { logFile } = stack.services.find(({ name }) => name === 'auth')!;
  const child = startServiceProcess('auth', environment, `${logFile}.twin`);
  await untilServiceReady(child, `http://127.0.0.1:${managementPort}`);
  return { origin: `http://127.0.0.1:${port}`, stop: async () => void (await child.stop()) };
}
