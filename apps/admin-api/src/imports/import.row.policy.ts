import { bodyErrors } from '@lyceum/platform';
import type { z } from 'zod';
import { ruleOf } from '#src/import-rows/import-mode.js';
import type { ImportMode } from '#src/import-rows/import-mode.js';
import { wordsOf } from '#src/import-rows/import-row.policy.js';
import type { RowValues } from '#src/import-rows/row-writer.js';
import type { RawRow } from './import.columns.policy.js';
import type { Fault } from './import.faults.js';
import type { ImportKind } from './import.kind.js';
import { IMPORT_LIMITS } from './import.policy.js';

/** A row of a part of the file: it is valid by itself. */
export interface ImportRow {
  readonly line: number;
  readonly values: RowValues;
}

/** Checks the members of each row, and that no other row of the file has the same value of a unique member. */
export class RowChecks {
  readonly #lines: ReadonlyMap<string, Map<unknown, number>>;
  readonly #schema: z.ZodObject;
  /** Member that finds the object of a row. */
  readonly #by: string | null;

  constructor(
    private readonly kind: Pick<ImportKind, 'one' | 'rows' | 'ignored' | 'unique'>,
    mode: ImportMode,
  ) {
    const { by, creates } = ruleOf(mode);
    this.#lines = new Map(kind.unique.map((member) => [member, new Map<unknown, number>()]));
    this.#schema = creates ? kind.rows : kind.rows.partial();
    this.#by = by;
  }

  check({ line, members, faults }: RawRow): ImportRow | readonly Fault[] {
    if (faults.length > 0) return faults;
    const named = Object.fromEntries(Object.entries(members).filter(([member]) => !this.kind.ignored.has(member)));
    const { data, error } = this.#schema.safeParse(named, { reportInput: true });
    if (error !== undefined) {
      const errors = bodyErrors(error).slice(0, IMPORT_LIMITS.faultsOfRow);
      return errors.map(({ pointer = '', code, detail }) => ({ line, pointer, code, detail }));
    }
    // Members that the row does not name have defaults, which an object that exists does not get.
    const values: RowValues = Object.fromEntries(Object.entries(data).filter(([member]) => member in named));
    const row = { line, values };
    if (this.#by !== null && (values[this.#by] ?? null) === null) {
      return [{ line, pointer: `/${this.#by}`, code: 'required', detail: `The mode finds a ${this.kind.one} by it` }];
    }
    const repeated = this.#repeated(row);
    return repeated.length > 0 ? repeated : row;
  }

  #repeated({ line, values }: ImportRow): Fault[] {
    return [...this.#lines].flatMap(([member, lines]): Fault[] => {
      const value = values[member] ?? undefined;
      if (value === undefined) return [];
      const first = lines.get(value);
      if (first === undefined) lines.set(value, line);
      const detail = `Line ${first} has the same ${wordsOf(member)}`;
      return first === undefined ? [] : [{ line, pointer: `/${member}`, code: 'repeated', detail }];
    });
  }
}
