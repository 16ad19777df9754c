import { SERVICES } from '@lyceum/contracts';
import { bucketValues, connectAs as connectTo } from '@lyceum/testing';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { systemStack, type SystemStack } from '../../stack/system-stack.js';

const { environments, nats_admin } = systemStack();

type Service = keyof SystemStack['environments'];

/** Connects with the credentials of a service, like an attacker who has taken it over. */
export function connectAs(service: Service): Promise<NatsConnection> {
  return connectTo(environments[service], { reconnect: false });
}

/** Connects as the operator of the deployment, who may subscribe to everything. */
export function connectAsAdmin(): Promise<NatsConnection> {
  const { user, password: pass } = nats_admin;
  return connect({ servers: environments['mcp-gateway']['NATS_URL']!, user, pass });
}

/**
 * Receives every message between services. Each service has an account of its own, so it takes a listener in each, and
 * one at the streams.
 */
export async function listenEverywhere(receive: (message: Msg) => void): Promise<NatsConnection[]> {
  const callback = (_error: Error | null, message: Msg): void => receive(message);
  const admin = await connectAsAdmin();
  admin.subscribe('>', { callback });
  const services = await Promise.all(
    SERVICES.map(async (service) => {
      const connection = await connectAs(service);
      for (const subject of [`tools.${service}.>`, `requests.${service}.>`, `_INBOX_${service}.>`]) {
        connection.subscribe(subject, { callback });
      }
      return connection;
    }),
  );
  const all = [admin, ...services];
  await Promise.all(all.map((connection) => connection.flush()));
  return all;
}

export interface DeclaredTool {
  readonly name: string;
  readonly audience: 'public' | 'member' | 'operator';
  readonly scopes: readonly string[];
  readonly scopesByArgument?: { readonly scopes: Readonly<Record<string, readonly string[]>> };
  readonly toolset: string;
  readonly annotations: { readonly readOnlyHint: boolean };
  readonly version: string;
  readonly service: string;
}

interface Entry {
  readonly service?: string;
  readonly tools?: readonly Omit<DeclaredTool, 'service'>[];
}

/** All tools of the deployment as their services declare them, whether a list shows them or not. */
export async function declaredTools(): Promise<DeclaredTool[]> {
  const connection = await connectAsAdmin();
  try {
    const tools = new Map<string, DeclaredTool>();
    for (const value of (await bucketValues(connection, 'tool-catalogs')).values()) {
      const { service, tools: declared } = value as Entry;
      if (service !== undefined) for (const tool of declared ?? []) tools.set(tool.name, { ...tool, service });
    }
    return [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    await connection.close();
  }
}
