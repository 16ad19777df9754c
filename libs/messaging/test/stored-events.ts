import type { DomainEvent } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

export interface StoredEvent {
  readonly subject: string;
  readonly id: string;
  readonly event: DomainEvent;
}

export async function asAdmin<T>(
  nats: Pick<TestNats, 'environment'>,
  work: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectAs(nats.environment('admin'));
  return work(connection).finally(() => connection.close());
}

/** All messages of the stream of the school, in order. */
export function storedEvents(nats: Pick<TestNats, 'environment'>): Promise<StoredEvent[]> {
  return asAdmin(nats, async (connection) => {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info('SCHOOL');
    const found: StoredEvent[] = [];
    if (state.messages === 0) return [];
    const consumer = await jetstream(connection).consumers.get('SCHOOL');
    for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 2_000 })) {
      const id = message.headers?.get('Nats-Msg-Id') ?? '';
      found.push({ subject: message.subject, id, event: message.json<DomainEvent>() });
    }
    return found;
  });
}
