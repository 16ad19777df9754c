import { randomUUID } from 'node:crypto';
import { commandReplySchema, inboxPrefix, recordProgress } from '@lyceum/contracts';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { TestApi } from './admin-api.js';
import { at } from './learner.js';
import type { Learner } from './learner.js';

const replySchema = commandReplySchema(recordProgress.output);
type Reply = z.infer<typeof replySchema>;
export type Command = z.input<typeof recordProgress.input>;

/** A storefront of the first site, with the NATS user that storefronts have. */
export class Storefront {
  private constructor(
    private readonly api: TestApi,
    private readonly connection: NatsConnection,
  ) {}

  static async open(api: TestApi): Promise<Storefront> {
    const { NATS_URL, NATS_USER, NATS_PASSWORD } = api.nats.environment('storefront');
    const inbox = inboxPrefix('storefront');
    const connection = await connect({ servers: NATS_URL, user: NATS_USER, pass: NATS_PASSWORD, inboxPrefix: inbox });
    return new Storefront(api, connection);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** By default the learner completes the first one of their two lectures. */
  watching({ student_id, course_id, lectures }: Learner, given: Partial<Command> = {}): Command {
    return {
      idempotency_key: randomUUID(),
      site: this.api.sites[0].org_id,
      student: { id: student_id },
      course: { id: course_id },
      lecture: { id: lectures[0] },
      position_seconds: 61,
      completed: true,
      occurred_at: at(1),
      ...given,
    };
  }

  /** Sends a command, as it is or as the bytes of a message. */
  async send(command: object | string): Promise<Reply> {
    const isMessage = typeof command === 'string' || command instanceof Uint8Array;
    const body = isMessage ? command : JSON.stringify(command);
    const reply = await this.connection.request(recordProgress.subject, body, { timeout: 20_000 });
    return replySchema.parse(reply.json());
  }

  async result(command: object): Promise<Extract<Reply, { ok: true }>['result']> {
    const reply = await this.send(command);
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    return reply.result;
  }

  async refusal(command: object): Promise<string> {
    const reply = await this.send(command);
    if (reply.ok) throw new Error('The command was not refused');
    return reply.error.code;
  }
}
