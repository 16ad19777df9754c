import { z } from 'zod';

/** A request over NATS: one subject, one shape in, one shape out. Both ends parse with the same schemas. */
export interface RequestDefinition<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  /** `requests.<service>.<name>.v<version>`. */
  readonly subject: string;
  /** The service that answers. */
  readonly service: string;
  readonly input: In;
  readonly output: Out;
}

export function defineRequest<In extends z.ZodType, Out extends z.ZodType>(definition: {
  service: string;
  name: string;
  version: number;
  input: In;
  output: Out;
}): RequestDefinition<In, Out> {
  const { service, name, version, input, output } = definition;
  return { subject: `requests.${service}.${name}.v${version}`, service, input, output };
}

/** How a request ended: a result, or an outcome whose code is one of `@lyceum/errors`. Faults arrive as `internal`. */
export const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.object({
      code: z.string(),
      detail: z.string(),
      errors: z
        .array(
          z.object({
            pointer: z.string().optional(),
            parameter: z.string().optional(),
            code: z.string(),
            detail: z.string(),
            id: z.uuid().optional(),
          }),
        )
        .optional(),
      hint: z.string().optional(),
    }),
  }),
]);
export type Reply = z.infer<typeof replySchema>;

/** NATS headers of a request beside `traceparent`. */
export const REQUEST_HEADERS = {
  /** Milliseconds since the epoch after which nobody waits for the answer. */
  deadline: 'Lyceum-Deadline',
  /** JSON of the `Principal`, absent for an anonymous caller. */
  principal: 'Lyceum-Principal',
  /** Ed25519 signature of the gateway over the call, base64url. Without it no principal is believed. */
  signature: 'Lyceum-Signature',
  /** The site's id, always there. */
  site: 'Lyceum-Site',
  idempotencyKey: 'Idempotency-Key',
  requestId: 'X-Request-Id',
  /** Names this one request for a cancellation; absent when it will not be canceled. */
  call: 'Lyceum-Call',
  /** In a request: the caller wants to hear of progress. In a reply: this is progress, and the reply is still to come. */
  progress: 'Lyceum-Progress',
} as const;

/** How far a request is. It comes to the reply subject, before the reply. */
export const progressSchema = z.object({
  /** Grows with each message. */
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});
export type Progress = z.infer<typeof progressSchema>;

/** Progress messages for one request; the permissions of NATS know it too, so a service cannot flood a caller. */
export const MAX_PROGRESS = 100;

/** Where all instances of a service hear which request (`REQUEST_HEADERS.call`) nobody waits for. Kept nowhere. */
export function cancelSubject(subject: string): string {
  return [...subject.split('.', 2), 'cancel'].join('.');
}
