import { readScopeOf } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { ToolCall } from '@lyceum/tools';
import { z } from 'zod';
import { parseIdempotencyKey } from '../idempotency/write-request.js';
import { requestHash } from '../idempotency/write.js';
import type { Write } from '../idempotency/write.js';

/** Schemas of the arguments that all writing tools have: `Idempotency-Key` and `dry_run` of the REST API. */
export const toolWrite = {
  idempotency_key: z.string().min(1).max(255).optional().describe('Makes a retry safe for 24 hours'),
  dry_run: z.boolean().default(false).describe('Checks everything and changes nothing'),
};

/**
 * Schema of the argument that is `If-Match` of an operation that requires it. Validation accepts a call without it,
 * which `requireToolMatch` refuses: the tool was published without the argument.
 */
export const toolIfMatch = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('Required: etag of the object as it was read; a call with an older one changes nothing');

/** Schema of the argument that is `If-Match` of an operation that accepts it. */
export const toolOptionalMatch = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('The etag that was read: refuses the change of a newer object');

/** @throws `precondition_required` */
export function requireToolMatch({ ifMatch }: Pick<Write, 'ifMatch'>): void {
  if (ifMatch !== undefined) return;
  throw new ApiError('precondition_required', 'if_match is missing', {
    hint: 'Read the object and pass its etag as if_match',
  });
}

/** Schema of the member of a result that `if_match` takes. A caller who only reads has no tool with `if_match`. */
export const toolEtag = z.string().describe('The version of the object, for a tool that replaces it only unchanged');

/** Schema of the first member of a result, before the new state. */
export const dryRun = z.boolean().describe('Nothing was changed; this is the object as it would be');

interface ToolWriteInput {
  readonly idempotency_key?: string | undefined;
  readonly dry_run: boolean;
  readonly if_match?: string | undefined;
}

/** Converts a tool call to a write. An idempotency key in the arguments takes precedence over the header. */
export function toolWriteOf<Input extends ToolWriteInput>(
  { tool, scopes }: { readonly tool: string; readonly scopes: readonly string[] },
  { input, idempotencyKey }: Pick<ToolCall<Input>, 'input' | 'idempotencyKey'>,
): { write: Write; asked: Omit<Input, keyof ToolWriteInput> } {
  const { idempotency_key, dry_run, if_match, ...asked } = input;
  const write = {
    key: parseIdempotencyKey(idempotency_key ?? idempotencyKey, 'idempotency_key'),
    operation: `TOOL ${tool}`,
    requestHash: requestHash(asked),
    dryRun: dry_run,
    ifMatch: if_match,
    readScope: readScopeOf(scopes[0] ?? ''),
  };
  return { write, asked };
}

/**
 * The object that a tool has written: whole, or in part for a caller without the read scope. Its id is null where a dry
 * run would make it.
 */
export function writtenOf<Shape extends z.core.$ZodShape>(view: z.ZodObject<Shape>) {
  const part = view.partial();
  const { id } = view.shape as z.ZodRawShape;
  return id === undefined ? part : part.extend({ id: (id as z.ZodType).nullable() });
}
