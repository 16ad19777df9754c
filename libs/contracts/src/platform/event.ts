import { z } from 'zod';
import { instantSchema } from './instant.js';

/** Surface through which a change was made. */
export const VIA = ['rest', 'tool', 'graphql', 'page', 'command', 'system'] as const;

/** Actor of the change that an event reports. */
export const actorSchema = z.object({
  /** `sub` of the person at the site of the event. Null: an anonymous visitor, a command, or the system. */
  member_id: z.uuid().nullable(),
  client_id: z.string().min(1).nullable(),
  /** `system`: a consumer, a periodic task. */
  via: z.enum(VIA),
  /** `X-Request-Id` of the request that caused the change. */
  request_id: z.string().min(1).nullable(),
});
export type EventActor = z.infer<typeof actorSchema>;

/** The actor of system changes. */
export const SYSTEM_ACTOR: EventActor = { member_id: null, client_id: null, via: 'system', request_id: null };

/** Members of every event beside its data. */
export const eventEnvelopeSchema = z.object({
  /** UUIDv7; also the `Nats-Msg-Id`, and the key of the consumers' inbox. */
  id: z.uuid(),
  /** `<context>.<entity>.<event>.v<version>`, for instance `school.course.published.v1`; also the NATS subject. */
  type: z.string(),
  /** The changed aggregate. Events of one aggregate are delivered in order. */
  aggregate_id: z.string(),
  /** Raised when the owner's database is restored: a newer epoch precedes any version. See ADR 40. */
  epoch: z.int().positive(),
  /** Grows by one with every change of the aggregate: an older state never overwrites a newer one. */
  aggregate_version: z.int().positive(),
  actor: actorSchema,
  /** Null for aggregates without a site (a person belongs to the deployment). */
  site_id: z.uuid().nullable(),
  occurred_at: instantSchema,
  data: z.unknown(),
});

export interface DomainEvent<Data = unknown> extends z.infer<typeof eventEnvelopeSchema> {
  data: Data;
}

/** The contexts. Each has one owner, which publishes the events of its entities. */
export type EventContext = 'identity' | 'school' | 'learner';

/**
 * An entity whose events carry its whole state: the event's name gives the reason, `data` the current state. So a
 * consumer applies all of them in the same way, and a read model can be rebuilt from republished events.
 */
export interface EntityEvents<Data extends z.ZodType = z.ZodType, Name extends string = string> {
  readonly context: EventContext;
  readonly entity: string;
  readonly version: number;
  readonly names: readonly Name[];
  readonly data: Data;
  /** NATS filter for all events of the entity. */
  readonly filter: string;
}

export function defineEntityEvents<Data extends z.ZodType, const Name extends string>(definition: {
  context: EventContext;
  entity: string;
  version: number;
  names: readonly Name[];
  data: Data;
}): EntityEvents<Data, Name> {
  return { ...definition, filter: `${definition.context}.${definition.entity}.*.v${definition.version}` };
}

/** The type, and NATS subject, of one event of an entity. */
export function eventType<Name extends string>(events: EntityEvents<z.ZodType, Name>, name: Name): string {
  return `${events.context}.${events.entity}.${name}.v${events.version}`;
}

/**
 * Subject of an owner's mark, in the stream of the events, that a republication of the entity is complete. No event
 * filter matches it.
 */
export function republicationSubject(events: EntityEvents): string {
  return `${events.context}.${events.entity}.republished.v${events.version}.complete`;
}

/** `from`: every existing aggregate has an event at or after this sequence number of the stream. */
export const republicationSchema = z.object({ from: z.int().positive() });
