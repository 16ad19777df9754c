import { TOOLS_BUCKET, offerSubject, toolCatalogueSchema, toolLeaseSchema } from '@lyceum/contracts';
import type { OfferKind, ToolCatalogue } from '@lyceum/contracts';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';

/** What a service offers to tool clients, as soon as it does: the catalogue of the instance that started last. */
export async function offeredBy(connection: NatsConnection, service: string): Promise<ToolCatalogue> {
  const end = Date.now() + 10_000;
  for (;;) {
    const found = await read(connection, service).catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${service} offers nothing`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Where a service answers a tool, resource or prompt. */
export async function offeredSubject(
  connection: NatsConnection,
  service: string,
  kind: Exclude<OfferKind, 'completion'>,
  name: string,
): Promise<string> {
  const catalogue = await offeredBy(connection, service);
  const entry = catalogue[`${kind}s`].find((each) => each.name === name);
  if (entry === undefined) throw new Error(`${service} has no ${kind} ${name}`);
  return offerSubject(service, kind, entry);
}

async function read(connection: NatsConnection, service: string): Promise<ToolCatalogue | undefined> {
  const bucket = await new Kvm(jetstream(connection)).open(TOOLS_BUCKET);
  let newest = { started_at: 0, version: '' };
  for await (const key of await bucket.keys(`${service}.*.*`)) {
    const { started_at } = toolLeaseSchema.parse(await valueOf(bucket, key));
    if (started_at >= newest.started_at) newest = { started_at, version: key.split('.')[1] ?? '' };
  }
  if (newest.version === '') return undefined;
  return toolCatalogueSchema.parse(await valueOf(bucket, `${service}.${newest.version}`));
}

async function valueOf(bucket: KV, key: string): Promise<unknown> {
  const entry = await bucket.get(key);
  return entry?.json();
}
