import { DATABASES, freePort, type Stack, startServiceProcess, untilServiceReady } from '@lyceum/local';
import { onDatabase } from './data/database.ts';

export interface Twin {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

type ServiceWithDatabase = keyof typeof DATABASES;

/** Copies the database of a service once under each name. Returns the URLs of the copies in the same order. */
export async function copyDatabase(
  stack: Stack,
  service: ServiceWithDatabase,
  names: readonly string[],
): Promise<string[]> {
  const url = new URL(stack.databaseUrl(DATABASES[service]));
  const original = url.pathname.slice(1);
  // PostgreSQL copies a database only while no session uses it.
  await stack.halt(service);
  await onDatabase(stack.postgres!.adminUrl, async (client) => {
    const template = client.escapeIdentifier(original);
    for (const name of names)
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE ${template}`);
  });
  await stack.start(service);
  return names.map((name) => Object.assign(new URL(url), { pathname: `/${name}` }).href);
}

/** A second process of a service, on another database or with other settings. */
export async function startTwin(
  stack: Stack,
  service: ServiceWithDatabase,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Twin> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const environment = {
    ...stack.environment(service),
    ...settings,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
  };
  const { logFile } = stack.services.find(({ name }) => name === service)!;
  const child = startServiceProcess(service, environment, `${logFile}.${new URL(databaseUrl).pathname.slice(1)}`);
  await untilServiceReady(child, `http://127.0.0.1:${managementPort}`);
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid, stop: async () => void (await child.stop()) };
}
