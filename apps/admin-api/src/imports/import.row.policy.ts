import { bodyErrors } from '@lyceum/platform';
import type { StudentImportMode, StudentRow } from '#src/students/student-import.policy.js';
import { IGNORED, rowSchema } from './import.columns.policy.js';
import type { RawRow } from './import.columns.policy.js';
import type { Fault } from './import.faults.js';
import { IMPORT_LIMITS } from './import.policy.js';

/** A row of a part of the file: it is valid by itself. */
export interface ImportRow {
  readonly line: number;
  readonly student: StudentRow;
}

/** Checks the members of each row, and that no other row of the file has the same address or external id. */
export class RowChecks {
  readonly #lines = { email: new Map<string, number>(), external_id: new Map<string, number>() };

  constructor(private readonly mode: StudentImportMode) {}

  check({ line, members, faults }: RawRow): ImportRow | readonly Fault[] {
    if (faults.length > 0) return faults;
    const named = Object.fromEntries(Object.entries(members).filter(([member]) => !IGNORED.has(member)));
    const { data, error } = rowSchema.safeParse(named, { reportInput: true });
    if (error !== undefined) {
      const errors = bodyErrors(error).slice(0, IMPORT_LIMITS.faultsOfRow);
      return errors.map(({ pointer = '', code, detail }) => ({ line, pointer, code, detail }));
    }
    // Members that the row does not name have defaults, which a student who exists does not get.
    const student = Object.fromEntries(Object.entries(data).filter(([member]) => member in named)) as unknown;
    const row = { line, student: student as StudentRow };
    if (this.mode === 'upsert_by_external_id' && (row.student.external_id ?? null) === null) {
      return [{ line, pointer: '/external_id', code: 'required', detail: 'The mode finds students by it' }];
    }
    const repeated = this.#repeated(row);
    return repeated.length > 0 ? repeated : row;
  }

  #repeated({ line, student }: ImportRow): Fault[] {
    return (['email', 'external_id'] as const).flatMap((member): Fault[] => {
      const value = student[member] ?? undefined;
      if (value === undefined) return [];
      const first = this.#lines[member].get(value);
      if (first === undefined) this.#lines[member].set(value, line);
      const detail = `Line ${first} has the same ${member.replace('_', ' ')}`;
      return first === undefined ? [] : [{ line, pointer: `/${member}`, code: 'repeated', detail }];
    });
  }
}
