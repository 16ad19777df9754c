import { ApiError, PROBLEMS } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import { fieldErrorSchema } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { WriteResponse } from '../idempotency/write-response.js';
import { refuseBody } from '../validation/refusal.policy.js';

/** Items of one request. More are an import. */
export const MAX_BULK = 200;

/** RFC 4918 §11.4: an item of an atomic request that another item undid. */
const FAILED_DEPENDENCY = 424;

/** In place of an item that is not acceptable: the others are, and each has a result. */
class Unacceptable {
  constructor(readonly issues: z.core.$ZodIssue[]) {}
}

interface BulkResult {
  readonly index: number;
  readonly status: number;
  readonly id: string | null;
  readonly errors: readonly FieldError[];
}

interface BulkBody {
  readonly atomic: boolean;
  readonly items: readonly (object | Unacceptable)[];
}

/** Undoes an atomic request. */
class Undone extends Error {
  constructor(readonly results: readonly BulkResult[]) {
    super('An item of an atomic request failed');
  }
}

/** The body of a bulk request. @param name of the OpenAPI component of one object: `Course`. */
export function bulkBody(name: string, create: z.ZodObject): z.ZodObject {
  // JSON Schema asks for the value without a context.
  const item = create.catch((context?: z.core.$ZodCatchCtx) =>
    context === undefined ? (undefined as never) : (new Unacceptable(context.error.issues) as never),
  );
  return z
    .strictObject({
      atomic: z.boolean().default(false).meta({ description: 'true: all items are created or none' }),
      items: z.array(item).min(1).max(MAX_BULK),
    })
    .meta({ id: `${name}Bulk`, examples: [{ atomic: true, items: create.meta()?.examples ?? [] }] });
}

export function bulkResults(name: string): z.ZodObject {
  const result = z.object({
    index: z.int(),
    status: z.int(),
    id: z.uuid().nullable(),
    errors: z.array(fieldErrorSchema),
  });
  const example = { index: 0, status: 201, id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90', errors: [] };
  return z
    .object({ results: z.array(result), all_succeeded: z.boolean() })
    .meta({ id: `${name}BulkResults`, examples: [{ results: [example], all_succeeded: true }] });
}

interface Creation {
  readonly row: { readonly id: string };
  readonly created: boolean;
}

interface BulkTransaction {
  readonly tx: EntityManager;
  readonly dryRun: boolean;
  /** Undoes the rows and the events of work that throws. */
  readonly savepoint: <T>(tx: EntityManager, work: (tx: EntityManager) => Promise<T>) => Promise<T>;
}

/** Creates the items one after the other, each in a savepoint. The results are in the order of the items. */
export async function runBulk(
  body: object | undefined,
  { tx, dryRun, savepoint }: BulkTransaction,
  create: (request: object) => Promise<Creation>,
): Promise<WriteResponse> {
  const { atomic, items } = body as BulkBody;
  const runAll = async (outer: EntityManager): Promise<BulkResult[]> => {
    const results: BulkResult[] = [];
    for (const [index, item] of items.entries()) {
      const result = await attempt(index, () => {
        if (item instanceof Unacceptable) throw refuseBody(new z.ZodError(item.issues));
        return savepoint(outer, (inner) => create({ body: item, tx: inner }));
      });
      results.push(result);
      if (atomic && result.id === null) throw new Undone(results);
    }
    return results;
  };
  const results = await savepoint(tx, runAll).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
    return items.map((_item, index) => {
      const failed = error.results.at(-1);
      return failed?.index === index ? failed : { index, status: FAILED_DEPENDENCY, id: null, errors: [] };
    });
  });
  const all_succeeded = results.every(({ id }) => id !== null);
  // The objects of a dry run do not exist.
  const shown = { results: dryRun ? results.map((one) => ({ ...one, id: null })) : results, all_succeeded };
  return WriteResponse.of(shown, {}, { sent: { results: true, all_succeeded: true }, changed: true });

  async function attempt(index: number, work: () => Promise<Creation>): Promise<BulkResult> {
    try {
      const { row, created } = await work();
      return { index, status: created ? 201 : 200, id: row.id, errors: [] };
    } catch (error) {
      if (!(error instanceof ApiError) || PROBLEMS[error.code].status >= 500) throw error;
      const whole = { pointer: '', code: error.code, detail: error.message };
      const errors = error.errors.length === 0 ? [whole] : error.errors;
      const named = errors.map(({ pointer = '', code, detail }) => ({
        pointer: `/items/${index}${pointer}`,
        code,
        detail,
      }));
      return { index, status: PROBLEMS[error.code].status, id: null, errors: named };
    }
  }
}
