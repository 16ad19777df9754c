import { REQUEST_HEADERS, progressSchema } from '@lyceum/contracts';
import type { Progress } from '@lyceum/contracts';
import { TimeoutError } from '@nats-io/transport-node';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';

export interface Question {
  readonly subject: string;
  readonly payload: string;
  readonly headers: MsgHdrs;
  /** Milliseconds. */
  readonly timeout: number;
}

/** A request whose reply may be preceded by progress, to an inbox of its own. */
export async function converse(
  connection: NatsConnection,
  { subject, payload, headers, timeout }: Question,
  onProgress: (progress: Progress) => void,
): Promise<Msg> {
  const replies = await connection.requestMany(subject, payload, { headers, maxWait: timeout, noMux: true });
  for await (const message of replies) {
    if (message.headers?.has(REQUEST_HEADERS.progress) !== true) return message;
    const progress = progressSchema.safeParse(message.json());
    if (progress.success) onProgress(progress.data);
  }
  throw new TimeoutError();
}
