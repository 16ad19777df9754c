import { bodyErrors } from '@lyceum/platform';
import type { z } from 'zod';
import { ruleOf } from '#src/import-rows/import-mode.js';
import type { ImportMode } from '#src/import-rows/import-mode.js';
import { wordsOf } from '#src/import-rows/import-row.policy.js';
import type { RowRefusal } from '#src/import-rows/import-row.policy.js';
import type { RowValues } from '#src/import-rows/row-writer.js';
import type { ColumnMapping } from './column-mapping.js';
import type { RawRow } from './import.columns.policy.js';
import { faultOf } from './import.faults.js';
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
  readonly #mapping: ColumnMapping;
  /** Member that finds the object of a row. */
  readonly #by: string | null;

  constructor(
    private readonly kind: Pick<ImportKind, 'one' | 'rows' | 'ignored' | 'unique'>,
    { mode, mapping }: { readonly mode: ImportMode; readonly mapping: ColumnMapping },
  ) {
    this.#mapping = mapping;
    const { by, creates } = ruleOf(mode);
    this.#lines = new Map(kind.unique.map((member) => [member, new Map<unknown, number>()]));
    this.#schema = creates ? kind.rows : kind.rows.partial();
    this.#by = by;
  }

  check(raw: RawRow): ImportRow | readonly Fault[] {
    const { line, members, faults } = raw;
    if (faults.length > 0) return faults;
    const named = Object.fromEntries(Object.entries(members).filter(([member]) => !this.kind.ignored.has(member)));
    const { data, error } = this.#schema.safeParse(named, { reportInput: true });
    if (error !== undefined) {
      const errors = bodyErrors(error).slice(0, IMPORT_LIMITS.faultsOfRow);
      return errors.map(({ pointer = '', code, detail }) => this.#fault(raw, { pointer, code, detail }));
    }
    // Members that the row does not name have defaults, which an object that exists does not get.
    const values: RowValues = Object.fromEntries(Object.entries(data).filter(([member]) => member in named));
    const row = { line, values };
    if (this.#by !== null && (values[this.#by] ?? null) === null) {
      const detail = `The mode finds a ${this.kind.one} by it`;
      return [this.#fault(raw, { pointer: `/${this.#by}`, code: 'required', detail })];
    }
    const repeated = this.#repeated(row, raw);
    return repeated.length > 0 ? repeated : row;
  }

  #fault(raw: RawRow, refusal: RowRefusal): Fault {
    return faultOf(raw, refusal, this.#mapping);
  }

  #repeated({ line, values }: ImportRow, raw: RawRow): Fault[] {
    return [...this.#lines].flatMap(([member, lines]): Fault[] => {
      const value = values[member] ?? undefined;
      if (value === undefined) return [];
      const first = lines.get(value);
      if (first === undefined) lines.set(value, line);
      const detail = `Line ${first} has the same ${wordsOf(member)}`;
      return first === undefined ? [] : [this.#fault(raw, { pointer: `/${member}`, code: 'repeated', detail })];
    });
  }
}
