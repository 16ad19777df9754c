import { consumerName, republicationSchema, republicationSubject } from '@lyceum/contracts';
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { Consumer, ConsumerConfig, JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { CopyPart } from './copies.js';
import { LIMITS } from './limits.js';

/** Reads all that a stream still has of one entity, from its beginning. The durable consumers know nothing of it. */
export class StreamReplay {
  #read = 0;

  private constructor(
    readonly part: CopyPart,
    private readonly manager: JetStreamManager,
    private readonly consumer: Consumer,
    private readonly name: string,
    /** The first sequence number of those that speak of everything there is. */
    private readonly since: number,
  ) {}

  static async open(connection: NatsConnection, service: string, part: CopyPart): Promise<StreamReplay> {
    const { stream, reader, events } = part;
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: LIMITS.jetStreamTimeout });
    const name = consumerName(service, `rebuild-${reader}`);
    const client = jetstream(connection, { timeout: LIMITS.jetStreamTimeout });
    const read = async (
      filter_subject: string,
      deliver_policy: ConsumerConfig['deliver_policy'],
    ): Promise<Consumer> => {
      // One that a killed rebuild left would go on from where that one was.
      await manager.consumers.delete(stream, name).catch(() => false);
      await manager.consumers.add(stream, {
        name,
        filter_subject,
        ack_policy: AckPolicy.None,
        deliver_policy,
        inactive_threshold: nanos(LIMITS.replayIdle),
        mem_storage: true,
        num_replicas: 1,
      });
      return client.consumers.get(stream, name);
    };
    const since = await startOf(await read(republicationSubject(events), DeliverPolicy.Last));
    return new StreamReplay(part, manager, await read(events.filter, DeliverPolicy.All), name, since);
  }

  /**
   * True while the stream still has its first message, or all since the owner began to send everything once more: then
   * what it does not speak of is not.
   */
  async isWhole(): Promise<boolean> {
    return (await this.manager.streams.info(this.part.stream)).state.first_seq <= this.since;
  }

  /** Gives everything that the stream has by now and that was not given before; what comes meanwhile is for the next time. */
  async toEnd(take: (subject: string, text: string) => Promise<void>): Promise<void> {
    const end = (await this.manager.streams.info(this.part.stream)).state.last_seq;
    for (;;) {
      const { num_pending: pending, delivered } = await this.consumer.info();
      // Nothing is acknowledged, so what was lost on its way would not come again.
      if (delivered.consumer_seq !== this.#read) throw new Error(`${this.name} lost messages; run it again`);
      if (pending === 0 || delivered.stream_seq >= end) return;
      const messages = await this.consumer.fetch({
        max_messages: Math.min(pending, LIMITS.replayBatch),
        expires: LIMITS.jetStreamTimeout,
      });
      for await (const message of messages) {
        this.#read += 1;
        await take(message.subject, message.string());
      }
    }
  }

  get read(): number {
    return this.#read;
  }

  async close(): Promise<void> {
    await this.manager.consumers.delete(this.part.stream, this.name).catch(() => false);
  }
}

/** Where the owner began when it last sent all it has once more; 1 when it never did. */
async function startOf(marks: Consumer): Promise<number> {
  const { num_pending: pending } = await marks.info();
  if (pending === 0) return 1;
  const mark = await marks.next({ expires: LIMITS.jetStreamTimeout });
  return mark === null ? 1 : republicationSchema.parse(mark.json()).from;
}
