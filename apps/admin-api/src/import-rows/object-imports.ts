import type { Caller, Created, SiteRow, Written } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { keysOf } from './import-mode.js';
import type { ImportMode } from './import-mode.js';
import { decideRow, refused, refusedBy } from './import-row.policy.js';
import type { RowDecision, RowOutcome } from './import-row.policy.js';
import type { ImportRule, RowValues, RowWriter } from './row-writer.js';

/** Operations of the service of a collection, which its imports use. */
export interface ImportedObjects<Row extends SiteRow, Create, Patch> {
  /** Whole rows with one of the values. */
  findBy(caller: Caller, member: string, values: readonly string[], tx?: EntityManager): Promise<readonly Row[]>;
  changesOf(caller: Caller, row: Row, patch: Patch): Partial<Row> | undefined;
  createAll(caller: Caller, items: readonly Create[], tx: EntityManager): Promise<readonly (Created<Row> | ApiError)[]>;
  patchAll(
    caller: Caller,
    items: readonly { readonly id: string; readonly patch: Patch }[],
    tx: EntityManager,
  ): Promise<readonly (Written<Row> | ApiError)[]>;
}

interface ObjectRules<Create> {
  /** Name of one object in messages. */
  readonly one: string;
  /** Schema with the defaults of a new object. */
  readonly create: z.ZodType<Create>;
  /** Members that no two objects share. */
  readonly unique: readonly string[];
}

/** Imports objects by the operations of their service for many of them. */
export abstract class ObjectImports<Row extends SiteRow, Create, Patch> implements RowWriter {
  protected constructor(
    private readonly objects: ImportedObjects<Row, Create, Patch>,
    private readonly rules: ObjectRules<Create>,
  ) {}

  preview(caller: Caller, rows: readonly RowValues[], { mode }: ImportRule): Promise<readonly RowOutcome[]> {
    return this.#decide(caller, rows, mode);
  }

  async run(
    caller: Caller,
    rows: readonly RowValues[],
    { mode }: ImportRule,
    tx: EntityManager,
  ): Promise<readonly RowOutcome[]> {
    const decisions = await this.#decide(caller, rows, mode, tx);
    const added = decisions.flatMap((one) => (one.kind === 'created' ? [one.values] : []));
    const changes = decisions.flatMap((one, index) =>
      one.kind === 'updated' ? [{ id: one.found.id, patch: rows[index] as Patch }] : [],
    );
    const made = added.length === 0 ? [] : await this.objects.createAll(caller, added, tx);
    const changed = changes.length === 0 ? [] : await this.objects.patchAll(caller, changes, tx);
    const [nextMade, nextChanged] = [made.values(), changed.values()];
    return decisions.map((one): RowOutcome => {
      if (one.kind === 'created') return outcomeOf(nextMade.next().value, 'created');
      return one.kind === 'updated' ? outcomeOf(nextChanged.next().value, 'updated') : one;
    });
  }

  async #decide(
    caller: Caller,
    rows: readonly RowValues[],
    mode: ImportMode,
    tx?: EntityManager,
  ): Promise<readonly RowDecision<Row, Create>[]> {
    const { one, create, unique } = this.rules;
    requireAdministrator(caller, `import a ${one}`);
    const holders = new Map<string, ReadonlyMap<unknown, Row>>();
    for (const member of unique) {
      const values = rows.flatMap((row) => (row[member] as string | null | undefined) ?? []);
      const found = values.length === 0 ? [] : await this.objects.findBy(caller, member, values, tx);
      holders.set(member, new Map(found.map((one) => [Reflect.get(one, member), one])));
    }
    return rows.map((row) => {
      const known = unique.map((member) => [member, holders.get(member)?.get(row[member] ?? undefined)] as const);
      return decideRow<Row, Create>(Object.fromEntries(known), mode, {
        one,
        keys: keysOf(...unique),
        create: () => create.parse(row),
        change: (found) => this.objects.changesOf(caller, found, row as Patch),
      });
    });
  }
}

function outcomeOf(result: Written<object> | ApiError | undefined, kind: 'created' | 'updated'): RowOutcome {
  if (result instanceof ApiError) return refusedBy(result);
  if (result === undefined) return refused('', 'not_found', 'Another request has deleted the object meanwhile');
  return { kind: result.changed ? kind : 'skipped' };
}
