import { gunzipSync } from 'node:zlib';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';

/** The values of a bucket by key. A key that is removed meanwhile (a released lease) is left out. */
export async function bucketValues(
  connection: NatsConnection,
  name: string,
  filter?: string,
): Promise<Map<string, unknown>> {
  const bucket = await new Kvm(jetstream(connection)).open(name);
  const values = new Map<string, unknown>();
  for await (const key of await bucket.keys(filter)) {
    const entry = await bucket.get(key);
    if (entry?.operation === 'PUT') values.set(key, parsed(entry.value));
  }
  return values;
}

/** `KeyValue` writes long values in gzip, which begins with this byte. */
function parsed(value: Uint8Array): unknown {
  return JSON.parse((value[0] === 0x1f ? gunzipSync(value) : Buffer.from(value)).toString());
}
