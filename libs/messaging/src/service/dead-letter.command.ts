import { deadLetterStream, deadLetterSubject, replySchema } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { UsageError } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import { TimeoutError, connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { storageOf } from '../connection/configuration.js';
import type { NatsConfiguration } from '../connection/configuration.js';
import { replayRequest } from '../consumers/dead-letter-replay.js';
import { DEAD_LETTER_HEADERS } from '../consumers/dead-letters.js';
import { readBatch } from '../connection/direct-read.js';
import type { StoredMessage } from '../connection/direct-read.js';
import { LIMITS } from '../connection/limits.js';
import { writeHeaders } from '../connection/message-headers.js';
import { connectionOptions } from '../connection/server-address.js';
import { managerOf } from '../connection/storage.js';
import type { Storage } from '../connection/storage.js';

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
 * `dead-letters list` prints one JSON line per letter. `dead-letters replay [seq…]` sends all or the named letters to a
 * running replica and removes the applied ones; it fails when one of them was not applied.
 */
export function deadLetterCommands(service: string): Command<NatsConfiguration> {
  return {
    summary: 'list | replay [seq…]: events that could not be applied',
    async run(config, [action, ...numbers]) {
      if (action !== 'list' && action !== 'replay') {
        throw new UsageError('dead-letters list, or dead-letters replay [seq…]');
      }
      const wanted = numbers.map(Number);
      if (wanted.some((seq) => !Number.isSafeInteger(seq))) throw new UsageError('a sequence number is not a number');
      const isWanted = ({ seq }: StoredMessage): boolean => wanted.length === 0 || wanted.includes(seq);
      const connection = await connect({ ...connectionOptions(service, config), reconnect: false });
      try {
        const storage = storageOf(service, config);
        const letters = readLetters(connection, storage, service);
        if (action === 'list') for await (const letter of letters) print(listed(letter));
        else await replayAll(connection, storage, service, letters, isWanted);
      } finally {
        await connection.drain();
      }
    },
  };
}

async function replayAll(
  connection: NatsConnection,
  storage: Storage,
  service: string,
  letters: AsyncIterable<StoredMessage>,
  isWanted: (letter: StoredMessage) => boolean,
): Promise<void> {
  const manager = await managerOf(connection, storage);
  let failures = 0;
  for await (const message of letters) {
    if (!isWanted(message)) continue;
    const result = await replay(connection, service, message);
    if (result.ok) await manager.streams.deleteMessage(deadLetterStream(service), message.seq, false);
    else failures += 1;
    print({ seq: message.seq, ...(result.ok ? { replayed: true } : { replayed: false, ...result.error }) });
  }
  if (failures > 0) throw new Error(`${failures} of the dead letters could not be applied`);
}

/** A letter without a reply in time has failed, so that the others follow. Rejects when no replica listens. */
async function replay(connection: NatsConnection, service: string, message: StoredMessage): Promise<Reply> {
  const { consumer, subject } = listed(message);
  const body = JSON.stringify({ reader: consumer, subject, body: message.string() });
  const timeout = LIMITS.replayTimeout;
  try {
    const reply = await connection.request(replayRequest(service).subject, body, {
      timeout,
      headers: writeHeaders({ site_id: NO_SITE, deadline: Date.now() + timeout }),
    });
    return replySchema.parse(reply.json());
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const detail = `No reply came within ${timeout / 1_000} s.`;
    return { ok: false, error: { code: 'temporarily_unavailable', detail } };
  }
}

function listed(message: StoredMessage): Listed {
  const header = (name: string): string => message.header(name) ?? '';
  return {
    seq: message.seq,
    stored_at: new Date(message.header('Nats-Time-Stamp') ?? 0).toISOString(),
    consumer: message.subject.split('.').slice(2).join('.'),
    subject: header(DEAD_LETTER_HEADERS.subject),
    event_id: header(DEAD_LETTER_HEADERS.event),
    deliveries: Number(header(DEAD_LETTER_HEADERS.deliveries)),
    error: header(DEAD_LETTER_HEADERS.error),
  };
}

/** All dead letters of the service, oldest first. One batch of them is in memory. */
async function* readLetters(
  connection: NatsConnection,
  storage: Storage,
  service: string,
): AsyncGenerator<StoredMessage> {
  for (let seq = 1; ;) {
    const filter = deadLetterSubject(service, '>');
    const query = { stream: deadLetterStream(service), seq, batch: LIMITS.replayBatch, filter };
    const messages = await readBatch(connection, storage, query);
    yield* messages;
    const last = messages.at(-1);
    if (last === undefined) return;
    seq = last.seq + 1;
  }
}
