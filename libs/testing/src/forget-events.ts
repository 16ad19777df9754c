import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

/** Purges the events, as their retention does. */
export async function forgetEvents(
  admin: { readonly url: string; readonly user: string; readonly password: string },
  streams: readonly string[],
): Promise<void> {
  const connection = await connect({ servers: admin.url, user: admin.user, pass: admin.password });
  try {
    const manager = await jetstreamManager(connection);
    for (const stream of streams) await manager.streams.purge(stream);
  } finally {
    await connection.close();
  }
}
