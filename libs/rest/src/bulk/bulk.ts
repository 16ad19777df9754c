import { ApiError, PROBLEMS } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import { savepoint } from '@lyceum/messaging';
import { fieldErrorSchema } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { WriteResponse } from '../idempotency/write-response.js';
import { refuseBody } from '../validation/refusal.policy.js';

/** Maximum number of items in a bulk request. */
export const MAX_BULK = 200;

/** RFC 4918 §11.4: an item of an atomic request that another item undid. */
const FAILED_DEPENDENCY = 424;

/** Replaces an invalid item, so that the others are still processed and each has a result. */
class Unacceptable {
  constructor(readonly issues: z.core.$ZodIssue[]) {}
}

/** The result of one item. */
export interface BulkResult {
  /** Position of the item in the request, from 0. */
  readonly index: number;
  /** HTTP status: 201 created, 200 existed, otherwise that of the error. */
  readonly status: number;
  readonly id: string | null;
  readonly errors: readonly (Pick<FieldError, 'code' | 'detail' | 'id'> & { readonly pointer: string })[];
}

export interface BulkBody {
  readonly atomic: boolean;
  readonly items: readonly (object | Unacceptable)[];
}

/** Undoes an atomic request. */
class Undone extends Error {
  constructor(readonly results: readonly BulkResult[]) {
    super('An item of an atomic request failed');
  }
}

/** Returns the schema of a bulk request. @param name the OpenAPI component of one object, such as `Course` */
export function bulkBody(name: string, create: z.ZodObject): z.ZodObject {
  // JSON Schema asks for the value without a context.
  const item = create.catch((context?: z.core.$ZodCatchCtx) =>
    context === undefined ? (undefined as never) : (new Unacceptable(context.error.issues) as never),
  );
  return z
    .strictObject({
      atomic: z.boolean().default(false).meta({ description: 'true: all items are written or none' }),
      items: z.array(item).min(1).max(MAX_BULK).meta({ description: 'The objects, each as in a request of its own' }),
    })
    .meta({ id: `${name}Bulk`, examples: [{ atomic: true, items: create.meta()?.examples ?? [] }] });
}

function resultsOf<E extends z.ZodObject>(error: E) {
  const result = z.object({
    index: z.int().min(0).meta({ description: 'Place of the item in the request, from 0' }),
    status: z.int().meta({ description: 'HTTP status that a request of its own would have' }),
    id: z.uuid().nullable().meta({
      description: 'Id of the object; null for an item that failed, and for an object that a dry run would create',
    }),
    errors: z.array(error).meta({ description: 'Why the item itself was refused' }),
  });
  return z.object({
    results: z.array(result).meta({ description: 'One result for each item, in their order' }),
    all_succeeded: z.boolean().meta({ description: 'False when one item or more failed' }),
  });
}

/** Results in the output of a tool, without the component of OpenAPI: some clients of tools follow no references. */
export const toolBulkResults = resultsOf(fieldErrorSchema.pick({ pointer: true, code: true, detail: true, id: true }));

export function bulkResults(name: string): z.ZodObject {
  const example = { index: 0, status: 201, id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90', errors: [] };
  const examples = [{ results: [example], all_succeeded: true }];
  return resultsOf(fieldErrorSchema).meta({ id: `${name}BulkResults`, examples });
}

interface Creation {
  readonly row: { readonly id: string };
  /** Absent: the object existed, and the item changed it. */
  readonly created?: boolean;
}

/** Writes the valid items of a request. Returns results in their order, with the error of each refused item. */
export type BulkWork = (request: {
  readonly body: readonly object[];
  readonly tx: EntityManager;
}) => Promise<readonly (Creation | ApiError)[]>;

/** Creates the items of a request. Returns results in the order of the items; errors of items do not throw. */
export async function runBulk(
  body: object | undefined,
  { tx, dryRun }: { readonly tx: EntityManager; readonly dryRun: boolean },
  work: BulkWork,
): Promise<WriteResponse> {
  const { atomic, items } = body as BulkBody;
  const runAll = async (outer: EntityManager): Promise<readonly BulkResult[]> => {
    const results = await resultsIn(outer);
    if (atomic && results.some(({ id }) => id === null)) throw new Undone(results);
    return results;
  };
  const again = async (error: unknown): Promise<readonly BulkResult[]> => {
    // Another request took a unique value meanwhile. Now its row is visible, so the item is refused and no other.
    if (error instanceof ApiError && error.code === 'already_exists') return savepoint(tx, runAll);
    throw error;
  };
  const attempt = savepoint(tx, runAll).catch(again);
  const results = await attempt.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
    const refused = withoutCreated(error.results).filter(({ status }) => status >= 400);
    const failed = new Map(refused.map((result) => [result.index, result]));
    return items.map((_item, index) => failed.get(index) ?? { index, status: FAILED_DEPENDENCY, id: null, errors: [] });
  });
  const all_succeeded = results.every(({ id }) => id !== null);
  const shown = { results: dryRun ? withoutCreated(results) : results, all_succeeded };
  return WriteResponse.of(shown, {}, { sent: { results: true, all_succeeded: true }, changed: true });

  async function resultsIn(outer: EntityManager): Promise<readonly BulkResult[]> {
    const acceptable = items.filter((item) => !(item instanceof Unacceptable));
    const outcomes = acceptable.length === 0 ? [] : [...(await work({ body: acceptable, tx: outer }))];
    return items.map((item, index) => {
      const outcome = item instanceof Unacceptable ? refusalOf(item) : outcomes.shift();
      if (outcome === undefined) throw new Error(`Item ${index} has no result`);
      return resultOf(index, outcome);
    });
  }
}

/** Results after the creations were undone: the objects that the request created do not exist. */
function withoutCreated(results: readonly BulkResult[]): readonly BulkResult[] {
  const created = new Set(results.filter(({ status }) => status === 201).map(({ id }) => id));
  return results.map(({ errors, ...result }) => ({
    ...result,
    id: created.has(result.id) ? null : result.id,
    errors: errors.map(({ id, ...error }) => (id === undefined || created.has(id) ? error : { ...error, id })),
  }));
}

function refusalOf({ issues }: Unacceptable): ApiError {
  return refuseBody(new z.ZodError(issues));
}

function resultOf(index: number, outcome: Creation | ApiError): BulkResult {
  if (!(outcome instanceof ApiError)) {
    return { index, status: outcome.created === true ? 201 : 200, id: outcome.row.id, errors: [] };
  }
  const { status } = PROBLEMS[outcome.code];
  if (status >= 500) throw outcome;
  const whole: FieldError = { pointer: '', code: outcome.code, detail: outcome.message };
  const errors = outcome.errors.length === 0 ? [whole] : outcome.errors;
  const named = errors.map(({ pointer = '', code, detail, id }) => ({
    pointer: `/items/${index}${pointer}`,
    code,
    detail,
    ...(id === undefined ? {} : { id }),
  }));
  return { index, status, id: null, errors: named };
}
