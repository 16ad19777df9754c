import { bucketValues, connectAs } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

export interface ReceivedMessage {
  readonly subject: string;
  readonly body: Record<string, unknown>;
}

/** Reads all messages and buckets of a NATS server with full rights. */
export class Observer {
  readonly received: ReceivedMessage[] = [];

  private constructor(private readonly connection: NatsConnection) {
    connection.subscribe('>', {
      callback: (error, message) => {
        if (error !== null || !/^(identity|broadcast)\./.test(message.subject)) return;
        this.received.push({ subject: message.subject, body: message.json() });
      },
    });
  }

  static async of(nats: TestNats): Promise<Observer> {
    const observer = new Observer(await connectAs(nats.environment('admin')));
    await observer.connection.flush();
    return observer;
  }

  async bucket(name: string): Promise<Record<string, unknown>[]> {
    const values = await bucketValues(this.connection, name);
    return [...values.values()].map((value) => value as Record<string, unknown>);
  }

  async deleteStream(name: string): Promise<void> {
    const manager = await jetstreamManager(this.connection);
    await manager.streams.delete(name);
  }

  async publish(subject: string, id: string, body: unknown): Promise<void> {
    await jetstream(this.connection).publish(subject, JSON.stringify(body), { msgID: id });
  }

  stop(): Promise<void> {
    return this.connection.close();
  }
}
