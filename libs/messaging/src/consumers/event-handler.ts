import { eventEnvelopeSchema } from '@lyceum/contracts';
import type { DomainEvent, EntityEvents } from '@lyceum/contracts';
import type { z } from 'zod';

/** The events of some entities with their parsed data, discriminated by `type`. */
export type EventOf<E extends readonly EntityEvents[]> = {
  [K in keyof E]: E[K] extends EntityEvents<infer Data> ? DomainEvent<z.output<Data>> : never;
}[number];

/** Thrown for a message that no retry can repair: it becomes a dead letter at once. */
export class UnreadableEvent extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = 'UnreadableEvent';
  }
}

/**
 * Parses the envelope and the data of a message. An unknown event name is accepted: the data is the whole state, and
 * the name only gives the reason.
 */
export function readEvent<E extends readonly EntityEvents[]>(entities: E, subject: string, text: string): EventOf<E> {
  const [context, entity, , version] = subject.split('.');
  const events = entities.find(
    (one) => one.context === context && one.entity === entity && `v${one.version}` === version,
  );
  if (events === undefined) throw new UnreadableEvent(`No consumer of this service handles ${subject}`);
  try {
    const envelope = eventEnvelopeSchema.parse(JSON.parse(text));
    if (envelope.type !== subject) throw new Error(`the type is ${envelope.type}`);
    return { ...envelope, data: events.data.parse(envelope.data) } as EventOf<E>;
  } catch (cause) {
    throw new UnreadableEvent(`The message on ${subject} does not match its schema`, cause);
  }
}
