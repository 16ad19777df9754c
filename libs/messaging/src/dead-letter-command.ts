import { DEAD_LETTER_STREAM, deadLetterSubject, inboxPrefix, replySchema } from '@lyceum/contracts';
import type { Command } from '@lyceum/platform';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JsMsg } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { NatsConfiguration } from './configuration.js';
import { replayRequest } from './dead-letter-replay.js';
import { DEAD_LETTER_HEADERS } from './dead-letters.js';
import { LIMITS } from './limits.js';
import { writeHeaders } from './message-headers.js';
import { connectionOptions } from './server-address.js';

/** One stored dead letter, as `list` prints it. */
interface Listed {
  readonly seq: number;
  readonly stored_at: string;
  readonly consumer: string;
  readonly subject: string;
  readonly event_id: string;
  readonly deliveries: number;
  readonly error: string;
}

const NO_SITE = '00000000-0000-0000-0000-000000000000';
const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/**
 * `dead-letters list` prints one JSON line for each; `dead-letters replay [seq…]` gives all, or those, to a running
 * replica once more and removes what was applied. Fails when one of them could not be.
 */
export function deadLetterCommands(service: string): Command<NatsConfiguration> {
  return {
    summary: 'list | replay [seq…]: events that could not be applied',
    async run(config, [action, ...numbers]) {
      if (action !== 'list' && action !== 'replay') throw new Error('dead-letters list, or dead-letters replay [seq…]');
      const wanted = numbers.map(Number);
      if (wanted.some((seq) => !Number.isSafeInteger(seq))) throw new Error('a sequence number is not a number');
      const connection = await connect({ ...connectionOptions(service, config), reconnect: false });
      try {
        const messages = await readAll(connection, service);
        if (action === 'list') messages.forEach((message) => print(listed(message)));
        else await replayAll(connection, service, messages, wanted);
      } finally {
        await connection.drain();
      }
    },
  };
}

async function replayAll(
  connection: NatsConnection,
  service: string,
  messages: readonly JsMsg[],
  wanted: readonly number[],
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: LIMITS.jetStreamTimeout });
  let failures = 0;
  for (const message of messages) {
    if (wanted.length > 0 && !wanted.includes(message.seq)) continue;
    const result = await replay(connection, service, message);
    if (result.ok) await manager.streams.deleteMessage(DEAD_LETTER_STREAM, message.seq, false);
    else failures += 1;
    print({ seq: message.seq, ...(result.ok ? { replayed: true } : { replayed: false, ...result.error }) });
  }
  if (failures > 0) throw new Error(`${failures} of the dead letters could not be applied`);
}

async function replay(connection: NatsConnection, service: string, message: JsMsg) {
  const { consumer, subject } = listed(message);
  const body = JSON.stringify({ reader: consumer, subject, body: message.string() });
  const timeout = LIMITS.replayTimeout;
  const reply = await connection.request(replayRequest(service).subject, body, {
    timeout,
    headers: writeHeaders({ site_id: NO_SITE, deadline: Date.now() + timeout }),
  });
  return replySchema.parse(reply.json());
}

function listed(message: JsMsg): Listed {
  const header = (name: string): string => message.headers?.get(name) ?? '';
  return {
    seq: message.seq,
    stored_at: message.time.toISOString(),
    consumer: message.subject.split('.').slice(2).join('.'),
    subject: header(DEAD_LETTER_HEADERS.subject),
    event_id: header(DEAD_LETTER_HEADERS.event),
    deliveries: Number(header(DEAD_LETTER_HEADERS.deliveries)),
    error: header(DEAD_LETTER_HEADERS.error),
  };
}

/** All dead letters of the service: through a filtered consumer, the only reading that its NATS user may do. */
async function readAll(connection: NatsConnection, service: string): Promise<JsMsg[]> {
  const client = jetstream(connection, { timeout: LIMITS.jetStreamTimeout });
  const consumer = await client.consumers.getPushConsumer(DEAD_LETTER_STREAM, {
    filter_subjects: deadLetterSubject(service, '>'),
    deliver_prefix: `${inboxPrefix(service)}.dead-letters`,
  });
  const { num_pending: pending } = await consumer.info(true);
  if (pending === 0) return [];
  const messages = await consumer.consume();
  const read: JsMsg[] = [];
  for await (const message of messages) {
    read.push(message);
    if (message.info.pending === 0) break;
  }
  return read;
}
