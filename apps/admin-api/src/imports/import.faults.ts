import { beginningOf, csvText } from '@lyceum/platform';
import type { DATA_FORMATS } from '@lyceum/contracts';
import type { RowRefusal } from '#src/import-rows/import-row.policy.js';
import type { ColumnMapping } from './column-mapping.js';
import { IMPORT_LIMITS } from './import.policy.js';

/** One fault of a file. Lines are counted from 1. The pointer leads to the member in the row. */
export interface Fault extends RowRefusal {
  readonly line: number;
  /** Column of the file, or member of JSON Lines; null for the whole row. */
  readonly column: string | null;
  /** Beginning of the faulty value as text; null without one. */
  readonly value: string | null;
}

/** The rest of the file cannot be read. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly fault: Fault;

  constructor(fault: RowRefusal & Pick<Fault, 'line'> & Partial<Fault>) {
    super(fault.detail);
    this.fault = { column: null, value: null, ...fault };
  }
}

interface FaultyRow {
  readonly line: number;
  readonly members: Readonly<Record<string, unknown>>;
}

/** The fault of a row, with the column and the value that the pointer leads to. */
export function faultOf({ line, members }: FaultyRow, refusal: RowRefusal, mapping: ColumnMapping): Fault {
  const path = refusal.pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let value: unknown = path.length === 0 ? undefined : members;
  for (const name of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return { line, ...refusal, column: columnOf(path, mapping), value: textOf(value) };
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A member of `metadata` has a column of its own, or is one of the column of all of them. */
function columnOf([member, key]: readonly string[], mapping: ColumnMapping): string | null {
  if (member === undefined) return null;
  const whole = member === 'metadata' && key !== undefined ? `${member}.${key}` : member;
  const nameOf = (wanted: string) => Object.keys(mapping).find((name) => mapping[name] === wanted);
  return nameOf(whole) ?? nameOf(member) ?? whole;
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function cut(text: string | null): string | null {
  return text === null ? null : storable(beginningOf(text, IMPORT_LIMITS.charactersOfValue));
}

function cleaned({ pointer, detail, column, value, ...fault }: Fault): Fault {
  return { ...fault, pointer: storable(pointer), detail: storable(detail), column: cut(column), value: cut(value) };
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
    this.#stored.push(...faults.slice(0, Math.max(0, this.room - this.#stored.length)).map(cleaned));
  }

  /** The fault that ends the file is stored in any case. */
  addLast(fault: Fault): void {
    this.count += 1;
    this.#stored.splice(this.room - 1);
    this.#stored.push(cleaned(fault));
  }
}

const COLUMNS = ['line', 'pointer', 'code', 'detail', 'column', 'value'];

export function reportText(format: (typeof DATA_FORMATS)[number], faults: readonly Fault[]): string {
  if (format === 'csv') return csvText(COLUMNS, faults, true);
  return faults.map((fault) => `${JSON.stringify(fault)}\n`).join('');
}
