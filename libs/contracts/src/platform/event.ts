import { z } from 'zod';
import { instantSchema } from './instant.js';

/** How a change came in. */
export const VIA = ['rest', 'tool', 'graphql', 'page', 'command', 'system'] as const;

/** Who made the change that an event is about. */
export const actorSchema = z.object({
  /** `sub` of the person at the site of the event. Null: an anonymous visitor, a command, or the system. */
  member_id: z.uuid().nullable(),
  client_id: z.string().min(1).nullable(),
  /** `system`: a consumer, a periodic task. */
  via: z.enum(VIA),
  /** `X-Request-Id` of the request that led to the change. */
  request_id: z.string().min(1).nullable(),
});
export type EventActor = z.infer<typeof actorSchema>;

/** The actor of a change that no person made. */
export const SYSTEM_ACTOR: EventActor = { member_id: null, client_id: null, via: 'system', request_id: null };

/** What every event carries beside its data. */
export const eventEnvelopeSchema = z.object({
  /** UUIDv7; also the `Nats-Msg-Id`, and the key of the consumers' inbox. */
  id: z.uuid(),
  /** `<context>.<entity>.<event>.v<version>`, for instance `school.course.published.v1`: the NATS subject too. */
  type: z.string(),
  /** The thing that changed. Events of one aggregate are delivered in order. */
  aggregate_id: z.string(),
  /** Raised when the database of the owner is restored: versions of an older epoch count less. See ADR 40. */
  epoch: z.int().positive(),
  /** Grows by one with every change of the aggregate: an older one never overwrites a newer one. */
  aggregate_version: z.int().positive(),
  actor: actorSchema,
  /** Null for facts that belong to no site (a person is one for the deployment). */
  site_id: z.uuid().nullable(),
  occurred_at: instantSchema,
  data: z.unknown(),
});

export interface DomainEvent<Data = unknown> extends z.infer<typeof eventEnvelopeSchema> {
  data: Data;
}

/**
 * An entity whose events carry its whole state: the event's name says why it was sent, `data` what is now true.
 * So a reader applies every one of them in the same way, and a copy can be rebuilt by sending them all again.
 */
export interface EntityEvents<Data extends z.ZodType = z.ZodType, Name extends string = string> {
  readonly context: 'identity' | 'school' | 'learner';
  readonly entity: string;
  readonly version: number;
  readonly names: readonly Name[];
  readonly data: Data;
  /** NATS filter for all events of the entity. */
  readonly filter: string;
}

export function defineEntityEvents<Data extends z.ZodType, const Name extends string>(definition: {
  context: 'identity' | 'school' | 'learner';
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
 * Where an owner says, in the stream of the events, that it has sent all it has of an entity once more. No filter of
 * events matches it.
 */
export function republicationSubject(events: EntityEvents): string {
  return `${events.context}.${events.entity}.republished.v${events.version}.complete`;
}

/** `from`: every aggregate that exists is spoken of at or after this sequence number of the stream. */
export const republicationSchema = z.object({ from: z.int().positive() });
