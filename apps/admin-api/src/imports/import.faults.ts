import type { FieldErrorCode } from '@lyceum/errors';
import { csvText } from '@lyceum/rest';
import type { DATA_FORMATS } from '@lyceum/contracts';
import { IMPORT_LIMITS } from './import.policy.js';

/** One fault of a file, at a line that begins with 1. */
export interface Fault {
  readonly line: number;
  /** JSON Pointer of the member in the row; empty for the whole row. */
  readonly pointer: string;
  readonly code: FieldErrorCode;
  readonly detail: string;
}

/** The rest of the file cannot be read. */
export class FileFault extends Error {
  override readonly name = 'FileFault';

  constructor(readonly fault: Fault) {
    super(fault.detail);
  }
}

/** The first faults that were found, and the number of all. */
export class FaultLog {
  readonly #stored: Fault[] = [];
  count = 0;

  constructor(private readonly room: number = IMPORT_LIMITS.faults) {}

  /** In the order of their lines. */
  get stored(): readonly Fault[] {
    return this.#stored.toSorted((a, b) => a.line - b.line);
  }

  add(faults: readonly Fault[]): void {
    this.count += faults.length;
    this.#stored.push(...faults.slice(0, Math.max(0, this.room - this.#stored.length)));
  }

  /** The fault that ends the file is stored in any case. */
  addLast(fault: Fault): void {
    this.count += 1;
    this.#stored.splice(this.room - 1);
    this.#stored.push(fault);
  }
}

const COLUMNS = ['line', 'pointer', 'code', 'detail'];

export function reportText(format: (typeof DATA_FORMATS)[number], faults: readonly Fault[]): string {
  if (format === 'csv') return csvText(COLUMNS, faults, true);
  return faults.map((fault) => `${JSON.stringify(fault)}\n`).join('');
}
