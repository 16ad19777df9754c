import type { NatsConnection } from '@nats-io/transport-node';

/** Messages that are read at one time: one after the other, a stream of thousands takes seconds. */
const TOGETHER = 64;

interface StoredMessage {
  readonly subject: string;
  readonly text: string;
}

/** Sends a request to the API of JetStream. */
export async function askJetStream<T>(nats: NatsConnection, operation: string, body: object = {}): Promise<T> {
  return (await nats.request(`$JS.API.${operation}`, JSON.stringify(body), { timeout: 5_000 })).json<T>();
}

/** The messages of a stream or bucket at this moment, in pieces. Deleted messages are left out. */
export async function* storedMessages(nats: NatsConnection, stream: string): AsyncGenerator<readonly StoredMessage[]> {
  type Found = { readonly message?: { readonly subject: string; readonly data?: string } };
  const info = await askJetStream<{ state: { first_seq: number; last_seq: number } }>(nats, `STREAM.INFO.${stream}`);
  const { first_seq, last_seq } = info.state;
  for (let first = first_seq; first <= last_seq; first += TOGETHER) {
    const places = Array.from({ length: Math.min(TOGETHER, last_seq - first + 1) }, (_, at) => first + at);
    const found = await Promise.all(
      places.map((seq) => askJetStream<Found>(nats, `STREAM.MSG.GET.${stream}`, { seq })),
    );
    yield found.flatMap(({ message }) =>
      message === undefined
        ? []
        : [{ subject: message.subject, text: Buffer.from(message.data ?? '', 'base64').toString() }],
    );
  }
}
