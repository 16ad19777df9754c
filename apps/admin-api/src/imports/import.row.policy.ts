import { bodyErrors } from '@lyceum/platform';
import type { z } from 'zod';
import { membersOf, ruleOf } from '#src/import-rows/import-mode.js';
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

/** Checks the members of each row, and that no other row of the file has the same value of a key. */
export class RowChecks {
  /** Lines by the values of each key. */
  readonly #lines: readonly (readonly [key: readonly [string, ...string[]], lines: Map<string, number>])[];
  readonly #schema: z.ZodObject;
  readonly #mapping: ColumnMapping;
  /** Members that find the object of a row. */
  readonly #by: readonly string[];

  constructor(
    private readonly kind: Pick<ImportKind, 'one' | 'rows' | 'ignored' | 'keys'>,
    { mode, mapping }: { readonly mode: ImportMode; readonly mapping: ColumnMapping },
  ) {
    this.#mapping = mapping;
    this.#lines = Object.values(kind.keys).map((members) => [members, new Map<string, number>()]);
    this.#schema = ruleOf(mode).creates ? kind.rows : kind.rows.partial();
    this.#by = membersOf(kind.keys, mode);
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
    const missing = this.#by.filter((member) => (values[member] ?? null) === null);
    if (missing.length > 0) {
      const detail = `The mode finds the ${this.kind.one} by it`;
      return missing.map((member) => this.#fault(raw, { pointer: `/${member}`, code: 'required', detail }));
    }
    const repeated = this.#repeated(row, raw);
    return repeated.length > 0 ? repeated : row;
  }

  #fault(raw: RawRow, refusal: RowRefusal): Fault {
    return faultOf(raw, refusal, this.#mapping);
  }

  #repeated({ line, values }: ImportRow, raw: RawRow): Fault[] {
    return this.#lines.flatMap(([members, lines]): Fault[] => {
      const parts = members.flatMap((member) => values[member] ?? []);
      if (parts.length < members.length) return [];
      const value = JSON.stringify(parts);
      const first = lines.get(value);
      if (first === undefined) lines.set(value, line);
      const detail = `Line ${first} has the same ${wordsOf(members)}`;
      return first === undefined ? [] : [this.#fault(raw, { pointer: `/${members[0]}`, code: 'repeated', detail })];
    });
  }
}
