import { z } from 'zod';
import type { RequestDefinition } from './request.js';

/**
 * Why a command was refused: those of the codes of `@lyceum/errors` that a command can end with. Closed, so that a
 * sender can handle each of them.
 */
export const COMMAND_ERROR_CODES = [
  'invalid_request',
  'validation_failed',
  'not_found',
  'already_exists',
  'invalid_state',
  'resource_in_use',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'temporarily_unavailable',
  'internal',
] as const;

const fieldError = z.object({ pointer: z.string().optional(), code: z.string(), detail: z.string() });

/** How a command ended, as its sender reads it. */
export function commandReplySchema<Result extends z.ZodType>(result: Result) {
  return z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), result }),
    z.object({
      ok: z.literal(false),
      error: z.object({
        code: z.enum(COMMAND_ERROR_CODES),
        detail: z.string(),
        errors: z.array(fieldError).optional(),
        hint: z.string().optional(),
      }),
    }),
  ]);
}

/** Members that every command has. */
const COMMON = {
  /** Names what happened, not the attempt to say it: a repetition with the same key is done once within 24 hours. */
  idempotency_key: z.string().regex(/^[\u0021-\u007e]{1,255}$/, '1 to 255 visible ASCII characters'),
  /** Public id of the site. */
  site: z.string().regex(/^org_[0-9A-Za-z]{1,64}$/, 'The public id of a site: org_…'),
};
type Common = typeof COMMON;

/** A change that a program asks for by NATS, without a token: its NATS user is what it may do. */
export interface CommandDefinition<
  In extends z.ZodType = z.ZodType<z.output<z.ZodObject<Common>>>,
  Out extends z.ZodType = z.ZodType,
> extends RequestDefinition<In, Out> {
  /** `<context>.<entity>.<verb>.v<version>`. */
  readonly name: string;
}

/**
 * The subject is `commands.` and the name. Without the prefix a command of the context `school` would be stored in the
 * stream of its events.
 */
export function defineCommand<In extends z.core.$ZodShape, Out extends z.ZodType>(definition: {
  service: string;
  name: string;
  input: In;
  output: Out;
}): CommandDefinition<z.ZodObject<Common & In, z.core.$strict>, Out> {
  const { service, name, input, output } = definition;
  return { subject: `commands.${name}`, name, service, input: z.strictObject({ ...COMMON, ...input }), output };
}
