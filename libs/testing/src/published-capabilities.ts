import { TOOLS_BUCKET, capabilitySubject, toolCatalogSchema, toolLeaseSchema } from '@lyceum/contracts';
import type { CapabilityKind, ToolCatalog } from '@lyceum/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { bucketValues } from './bucket-values.js';

/** Waits for the catalog of a service, from the instance that started last. */
export async function publishedCapabilities(connection: NatsConnection, service: string): Promise<ToolCatalog> {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await read(connection, service).catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${service} has published no capabilities`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Subject of a service's tool, resource or prompt. */
export async function publishedSubject(
  connection: NatsConnection,
  service: string,
  kind: Exclude<CapabilityKind, 'completion'>,
  name: string,
): Promise<string> {
  const catalog = await publishedCapabilities(connection, service);
  const entry = catalog[`${kind}s`].find((each) => each.name === name);
  if (entry === undefined) throw new Error(`${service} has no ${kind} ${name}`);
  return capabilitySubject(service, kind, entry);
}

async function read(connection: NatsConnection, service: string): Promise<ToolCatalog | undefined> {
  let newest = { started_at: 0, version: '' };
  for (const [key, lease] of await bucketValues(connection, TOOLS_BUCKET, `${service}.*.*`)) {
    const { started_at } = toolLeaseSchema.parse(lease);
    if (started_at >= newest.started_at) newest = { started_at, version: key.split('.')[1] ?? '' };
  }
  if (newest.version === '') return undefined;
  const key = `${service}.${newest.version}`;
  return toolCatalogSchema.parse((await bucketValues(connection, TOOLS_BUCKET, key)).get(key));
}
