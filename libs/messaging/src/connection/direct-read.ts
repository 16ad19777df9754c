import { createInbox } from '@nats-io/transport-node';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { LIMITS } from './limits.js';
import type { Storage } from './storage.js';

/** A message of a stream, read without a consumer. */
export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  header(name: string): string | undefined;
  json(): unknown;
  string(): string;
  readonly data: Uint8Array;
}

interface Query {
  readonly stream: string;
  /** The first sequence number. */
  readonly seq: number;
  readonly batch: number;
  /** Subjects; may have wildcards. */
  readonly filter: string;
}

const NO_MESSAGES = [204, 404];

/**
 * Next messages of a stream from a sequence number, in order; empty at the end. Any replica may respond, so one that
 * lags behind the leader returns fewer.
 */
export function readBatch(
  connection: NatsConnection,
  { api, inboxPrefix }: Storage,
  { stream, seq, batch, filter }: Query,
): Promise<readonly StoredMessage[]> {
  return new Promise((resolve, reject) => {
    const messages: StoredMessage[] = [];
    const inbox = createInbox(inboxPrefix);
    const end = (finish: () => void): void => {
      subscription.unsubscribe();
      clearTimeout(timer);
      finish();
    };
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (error !== null) return end(() => reject(error));
        const status = message.headers?.code ?? 0;
        if (status === 0) {
          timer.refresh();
          messages.push(stored(message));
        } else if (NO_MESSAGES.includes(status)) end(() => resolve(messages));
        else {
          const reason = status === 503 ? 'it does not exist' : `${status} ${message.headers?.description ?? ''}`;
          end(() => reject(new Error(`the stream ${stream} cannot be read: ${reason}`)));
        }
      },
    });
    const timer = setTimeout(
      () => end(() => reject(new Error(`the stream ${stream} was not read in time`))),
      LIMITS.jetStreamTimeout,
    );
    connection.publish(`${api}.DIRECT.GET.${stream}`, JSON.stringify({ seq, batch, next_by_subj: filter }), {
      reply: inbox,
    });
  });
}

function stored(message: Msg): StoredMessage {
  const header = (name: string): string | undefined => message.headers?.get(name) || undefined;
  return {
    subject: header('Nats-Subject') ?? '',
    seq: Number(header('Nats-Sequence')),
    header,
    json: () => message.json(),
    string: () => message.string(),
    data: message.data,
  };
}
