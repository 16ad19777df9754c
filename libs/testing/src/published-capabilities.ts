import { TOOLS_BUCKET, capabilitySubject, toolCatalogSchema, toolLeaseSchema } from '@lyceum/contracts';
import type { CapabilityKind, ToolCatalog } from '@lyceum/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { bucketValues } from './bucket-values.js';
import { eventually } from '@lyceum/local';

/** Waits for the catalog of a service, from the instance that started last. */
export const publishedCapabilities = (connection: NatsConnection, service: string): Promise<ToolCatalog> =>
  eventually(() => read(connection, service).catch(() => undefined));

/** Subject of a tool, resource or prompt of the catalog. */
export function subjectIn(
  { service, ...catalog }: ToolCatalog,
  kind: Exclude<CapabilityKind, 'completion'>,
  name: string,
): string {
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
