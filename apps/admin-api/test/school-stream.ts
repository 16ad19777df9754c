import { SYSTEM_ACTOR, completionName, eventType, replySchema, roleEvents } from '@lyceum/contracts';
import type { DomainEvent, EntityEvents, Principal, Reply, ToolCatalog } from '@lyceum/contracts';
import { jetstream } from '@nats-io/jetstream';
import {
  connectAs,
  eventually,
  publishedCapabilities,
  signedCall,
  subjectIn,
  testInfrastructure,
} from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { RequestError } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';

interface AskedBy {
  readonly site_id: string;
  readonly principal: Principal | null;
}

export type SeenEvent = DomainEvent<Record<string, unknown>>;

/** Receives events of this service, and sends it events of auth. */
export class SchoolStream {
  readonly #connection: NatsConnection;
  /** Has the credential of the gateway, which alone may call tools. */
  readonly #gateway: NatsConnection;
  readonly #seen: SeenEvent[] = [];
  /** Read once, because it is large. All replicas of a test have the same one. */
  #catalog: Promise<ToolCatalog> | undefined;

  private constructor(connection: NatsConnection, gateway: NatsConnection) {
    this.#connection = connection;
    this.#gateway = gateway;
  }

  static async open(nats: Pick<TestNats, 'environment'>): Promise<SchoolStream> {
    const connection = await connectAs(nats.environment('admin'));
    const stream = new SchoolStream(connection, await connectAs(nats.environment('mcp-gateway')));
    // Core NATS delivers messages of a stream to plain subscriptions too.
    const subscription = connection.subscribe('school.*.*.*');
    void (async () => {
      for await (const message of subscription) stream.#seen.push(message.json<SeenEvent>());
    })();
    await connection.flush();
    return stream;
  }

  /** Waits for the expected number of events of the aggregates. */
  of(aggregateIds: readonly string[], count: number): Promise<SeenEvent[]> {
    return this.matching((event) => aggregateIds.includes(event.aggregate_id), count);
  }

  /** Waits for the expected number of events whose data name the person. */
  ofPerson(person_id: string, count: number): Promise<SeenEvent[]> {
    return this.matching((event) => event.data['person_id'] === person_id, count);
  }

  /** Waits for the expected number of events with the name, of any entity. */
  named(name: string, count: number): Promise<SeenEvent[]> {
    return this.matching((event) => event.type.split('.')[2] === name, count);
  }

  /** Waits for the expected number of matching events. */
  matching(matches: (event: SeenEvent) => boolean, count: number): Promise<SeenEvent[]> {
    return eventually(
      () => this.#seen.filter(matches),
      (found) => found.length >= count,
    );
  }

  /** Publishes an event of another service. */
  async publish<E extends EntityEvents>(
    events: E,
    name: E['names'][number],
    {
      version = 1,
      id = randomUUID(),
      epoch = 1,
      ...event
    }: Pick<DomainEvent<z.input<E['data']>>, 'aggregate_id' | 'site_id' | 'data'> & {
      readonly version?: number;
      readonly id?: string;
      readonly epoch?: number;
    },
  ): Promise<void> {
    const type = eventType(events, name);
    const sent: DomainEvent = {
      id,
      type,
      aggregate_version: version,
      epoch,
      actor: SYSTEM_ACTOR,
      occurred_at: new Date().toISOString(),
      ...event,
    };
    await jetstream(this.#connection).publish(type, JSON.stringify(sent), { msgID: id });
  }

  /** Publishes a role event of auth. */
  async sendRoles(
    data: z.input<(typeof roleEvents)['data']>,
    version: number,
    id: string = randomUUID(),
    epoch = 1,
  ): Promise<void> {
    const { site_id, person_id } = data;
    await this.publish(roleEvents, 'changed', {
      aggregate_id: `${site_id}:${person_id}`,
      site_id,
      data,
      version,
      id,
      epoch,
    });
  }

  /** Calls a tool as the gateway does. */
  async callTool(name: string, args: object, caller: AskedBy): Promise<Reply> {
    return this.ask(subjectIn(await this.catalog(), 'tool', name), args, caller);
  }

  /** Reads a resource by the variables of its URI, or gets a prompt. */
  async read(kind: 'resource' | 'prompt', name: string, args: object, caller: AskedBy): Promise<Reply> {
    return this.ask(subjectIn(await this.catalog(), kind, name), args, caller);
  }

  async complete(of: string, argument: string, value: string, caller: AskedBy): Promise<Reply> {
    const subject = subjectIn(await this.catalog(), 'resource', of);
    const completion = subject.replace(`resource.${of}`, `completion.${completionName(of, argument)}`);
    return this.ask(completion, { value }, caller);
  }

  private catalog(): Promise<ToolCatalog> {
    return (this.#catalog ??= publishedCapabilities(this.#connection, 'admin-api'));
  }

  private async ask(subject: string, args: object, caller: AskedBy): Promise<Reply> {
    const body = JSON.stringify({ arguments: args });
    const { callSigningKey } = await testInfrastructure();
    const options = { timeout: 30_000, headers: signedCall({ subject, body, ...caller }, callSigningKey) };
    const deadline = Date.now() + 45_000;
    for (;;) {
      try {
        const reply = await this.#gateway.request(subject, body, options);
        return replySchema.parse(reply.json());
      } catch (error) {
        // A ready service subscribes to its tools a moment later.
        if (!(error instanceof RequestError && error.isNoResponders()) || Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#gateway.close()]);
  }
}
