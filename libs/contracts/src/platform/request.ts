import { z } from 'zod';

/** A request over NATS with one subject, input and output. Both services parse with the same schemas. */
export interface RequestDefinition<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  /** `requests.<service>.<name>.v<version>`. */
  readonly subject: string;
  /** The service that handles the request. */
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

/** Result of a request, or an error with a code of `@lyceum/errors`. Unexpected errors arrive as `internal`. */
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
      /** Seconds after which another attempt may succeed. */
      retry_after: z.int().optional(),
    }),
  }),
]);
export type Reply = z.infer<typeof replySchema>;

/** NATS headers of a request beside `traceparent`. */
export const REQUEST_HEADERS = {
  /** Milliseconds since the epoch; the caller stops waiting then. */
  deadline: 'Lyceum-Deadline',
  /** JSON of the `Principal`, absent for an anonymous caller. */
  principal: 'Lyceum-Principal',
  /** Ed25519 signature of the gateway over the call, base64url. A principal without it is ignored. */
  signature: 'Lyceum-Signature',
  /** The site's id; required. */
  site: 'Lyceum-Site',
  idempotencyKey: 'Idempotency-Key',
  requestId: 'X-Request-Id',
  /** Id of this request for a cancellation; absent when the caller never cancels it. */
  call: 'Lyceum-Call',
  /** In a request: the caller subscribes to progress. In a reply: a progress message that precedes the reply. */
  progress: 'Lyceum-Progress',
} as const;

/** Progress of a request, sent to the reply subject before the reply. */
export const progressSchema = z.object({
  /** Grows with each message. */
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});
export type Progress = z.infer<typeof progressSchema>;

/** Most progress messages per request. A service sends no more. */
export const MAX_PROGRESS = 100;

/** Subject on which all instances of a service receive cancellations (`REQUEST_HEADERS.call`). Not stored. */
export function cancelSubject(subject: string): string {
  return [...subject.split('.', 2), 'cancel'].join('.');
}
