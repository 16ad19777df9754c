import { ApiError, summaryOf } from '@lyceum/errors';
import type { FieldErrorCode } from '@lyceum/errors';
import { isObject } from '@lyceum/platform';
import type { z } from 'zod';
import { membersOf, ruleOf } from '#src/import-rows/import-mode.js';
import type { ImportMode } from '#src/import-rows/import-mode.js';
import type { ColumnMapping } from './column-mapping.js';
import { FileFault, faultOf } from './import.faults.js';
import type { Fault } from './import.faults.js';
import { cellTypeOf } from './import.kind.js';
import type { ImportKind } from './import.kind.js';

/** A row as the file has it. */
export interface RawRow {
  readonly line: number;
  readonly members: Readonly<Record<string, unknown>>;
  /** Faults that the cells show already. */
  readonly faults: readonly Fault[];
}

const METADATA = 'metadata.';

/** The member of a column. Null: the column is left out. */
export type Column = string | null;

function isColumn({ rows, ignored }: ImportKind, name: string): boolean {
  return name in rows.shape || ignored.has(name) || /^metadata\.[\w.-]{1,40}$/.test(name);
}

/** @throws `validation_failed` for a mapping of JSON Lines, and for one to a member that the objects do not have */
export function requireMapping(
  { format, mapping }: { readonly format: string; readonly mapping: ColumnMapping },
  kind: ImportKind,
): void {
  const names = Object.keys(mapping);
  const errors =
    format === 'csv'
      ? names
          .filter((name) => mapping[name] !== null && !isColumn(kind, mapping[name] ?? ''))
          .map((name) => ({ pointer: `/mapping/${escaped(name)}`, detail: `A member of the ${kind.one}, or null` }))
      : names.length === 0
        ? []
        : [{ pointer: '/mapping', detail: 'Only the columns of a CSV file have names to map' }];
  if (errors.length === 0) return;
  const fields = errors.map((error) => ({ ...error, code: 'invalid_value' as const }));
  throw new ApiError('validation_failed', summaryOf(fields, 'The mapping is not acceptable'), { errors: fields });
}

/** RFC 6901 §3 */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * The members of the columns in the first row, whose names a mapping may replace.
 *
 * @throws {FileFault} for a name that no member has, a name that occurs twice, and a missing name
 */
export function columnsOf(
  header: readonly string[],
  line: number,
  { mapping, mode }: { readonly mapping: ColumnMapping; readonly mode: ImportMode },
  kind: ImportKind,
): readonly Column[] {
  const given = header.map((name) => name.trim());
  const names = given.map((name) => (Object.hasOwn(mapping, name) ? (mapping[name] ?? null) : name));
  const refuse = (name: string, code: FieldErrorCode, detail: string): never => {
    const column = name.slice(0, 100);
    const place = name === '' ? { pointer: '' } : { pointer: `/${column}`, column };
    throw new FileFault({ line, ...place, code, detail });
  };
  const absent = Object.keys(mapping).find((name) => !given.includes(name));
  if (absent !== undefined) refuse(absent, 'required', `The mapping names a column that the first line lacks`);
  for (const [index, name] of names.entries()) {
    if (name === null) continue;
    const known = isColumn(kind, name);
    if (!known && /[;\t|]/.test(name)) refuse('', 'invalid_format', 'Commas separate the columns of the file');
    if (!known) refuse(name, 'unknown_member', `No ${kind.one} has the column "${name.slice(0, 100)}"`);
    if (names.indexOf(name) !== index) refuse(name, 'repeated', `The column ${name} occurs twice`);
  }
  const missing = neededColumns(kind, mode).find((name) => !names.includes(name));
  if (missing !== undefined) refuse(missing, 'required', `The first line names the columns, ${missing} among them`);
  return names;
}

/** A new object needs the members without a default. A mode needs the members by which it finds objects. */
function neededColumns({ rows, keys }: ImportKind, mode: ImportMode): string[] {
  const members = Object.entries<z.ZodType>(rows.shape);
  const needed = members.flatMap(([name, schema]) => (schema.safeParse(undefined).success ? [] : [name]));
  return [...(ruleOf(mode).creates ? needed : []), ...membersOf(keys, mode)];
}

/** The members of a row of CSV. An empty cell names no member. */
export function cellsOf(
  columns: readonly Column[],
  record: readonly string[],
  line: number,
  { kind, mapping }: { readonly kind: ImportKind; readonly mapping: ColumnMapping },
): RawRow {
  if (record.length !== columns.length) {
    const detail = `The row has ${record.length} cells, the first line ${columns.length}`;
    const refusal = { pointer: '', code: 'invalid_format', detail } as const;
    return { line, members: {}, faults: [faultOf({ line, members: {} }, refusal, mapping)] };
  }
  const members: Record<string, unknown> = {};
  const metadata: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const [index, column] of columns.entries()) {
    const cell = record[index] ?? '';
    if (cell === '' || column === null || kind.ignored.has(column)) continue;
    const text = textOfCell(column, cell);
    if (text === undefined) {
      const detail = "The cell begins as a formula does; write ' before it to keep it as text";
      const refusal = { pointer: `/${column}`, code: 'invalid_value', detail } as const;
      faults.push(faultOf({ line, members: { [column]: cell } }, refusal, mapping));
    } else if (column.startsWith(METADATA)) metadata[column.slice(METADATA.length)] = text;
    else members[column] = valueOf(kind, column, text);
  }
  const { metadata: given } = members;
  if (Object.keys(metadata).length > 0 && (given === undefined || isObject(given))) {
    members['metadata'] = { ...given, ...metadata };
  }
  return { line, members, faults };
}

/** Characters with which spreadsheets begin a formula, as exports escape them. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const PHONE = /^\+\d+$/;

/** Undefined: a formula. An export writes `'` before a text that a spreadsheet would run. */
function textOfCell(column: string, cell: string): string | undefined {
  if (cell.startsWith("'") && FORMULA.test(cell.slice(1))) return cell.slice(1);
  if (!FORMULA.test(cell)) return cell;
  return column === 'phone_number' && PHONE.test(cell) ? cell : undefined;
}

/** Returns the value of a cell by its type. The schema refuses a text that it cannot convert. */
function valueOf(kind: ImportKind, member: string, text: string): unknown {
  switch (cellTypeOf(kind, member)) {
    case 'number':
      return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
    case 'list':
      return listOf(text);
    case 'json':
      return jsonOr(text);
    case 'text':
      return text;
  }
}

/** A list of JSON, as exports have it, or words between semicolons. */
function listOf(text: string): unknown {
  if (text.startsWith('[')) return jsonOr(text);
  return text
    .split(';')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
