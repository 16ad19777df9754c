import { ApiError, summaryOf } from '@lyceum/errors';
import type { FieldErrorCode } from '@lyceum/errors';
import { student } from '#src/students/student.schema.js';
import { FileFault } from './import.faults.js';
import type { Fault } from './import.faults.js';

/** A row as the file has it. */
export interface RawRow {
  readonly line: number;
  readonly members: Readonly<Record<string, unknown>>;
  /** Faults that the cells show already. */
  readonly faults: readonly Fault[];
}

const METADATA = 'metadata.';

/** Members that a row may name. The import as a whole decides about mails. */
export const rowSchema = student.create.omit({ send_welcome_email: true });
export const ROW_MEMBERS: ReadonlySet<string> = new Set(Object.keys(rowSchema.shape));

/** Members that an export has and only the service sets. An import ignores them. */
export const IGNORED: ReadonlySet<string> = new Set(
  Object.keys(student.object.shape).filter((member) => !ROW_MEMBERS.has(member)),
);

/** Members by the names of columns of the file. Null: the column is left out. */
export type ColumnMapping = Readonly<Record<string, string | null>>;

/** The member of a column. Null: the column is left out. */
export type Column = string | null;

function isColumn(name: string): boolean {
  return ROW_MEMBERS.has(name) || IGNORED.has(name) || /^metadata\.[\w.-]{1,40}$/.test(name);
}

/** @throws `validation_failed` for a mapping of JSON Lines, and for one to a member that students do not have */
export function requireMapping({
  format,
  mapping,
}: {
  readonly format: string;
  readonly mapping: ColumnMapping;
}): void {
  const names = Object.keys(mapping);
  const errors =
    format === 'csv'
      ? names
          .filter((name) => !isColumn(mapping[name] ?? 'email'))
          .map((name) => ({ pointer: `/mapping/${escaped(name)}`, detail: 'A member of a student, or null' }))
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
 * @throws {FileFault} for a name that no member has, a name that stands twice, and a missing email
 */
export function columnsOf(header: readonly string[], line: number, mapping: ColumnMapping): readonly Column[] {
  const given = header.map((name) => name.trim());
  const names = given.map((name) => (Object.hasOwn(mapping, name) ? (mapping[name] ?? null) : name));
  const refuse = (name: string, code: FieldErrorCode, detail: string): never => {
    throw new FileFault({ line, pointer: name === '' ? '' : `/${name.slice(0, 100)}`, code, detail });
  };
  const absent = Object.keys(mapping).find((name) => !given.includes(name));
  if (absent !== undefined) refuse(absent, 'required', `The mapping names a column that the first line lacks`);
  for (const [index, name] of names.entries()) {
    if (name === null) continue;
    const known = isColumn(name);
    if (!known && /[;\t|]/.test(name)) refuse('', 'invalid_format', 'Commas separate the columns of the file');
    if (!known) refuse(name, 'unknown_member', `Students have no column "${name.slice(0, 100)}"`);
    if (names.indexOf(name) !== index) refuse(name, 'repeated', `The column ${name} stands twice`);
  }
  if (!names.includes('email')) refuse('email', 'required', 'The first line names the columns, email among them');
  return names;
}

/** The members of a row of CSV. An empty cell names no member. */
export function cellsOf(columns: readonly Column[], record: readonly string[], line: number): RawRow {
  if (record.length !== columns.length) {
    const detail = `The row has ${record.length} cells, the first line ${columns.length}`;
    return { line, members: {}, faults: [{ line, pointer: '', code: 'invalid_format', detail }] };
  }
  const members: Record<string, unknown> = {};
  const metadata: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const [index, column] of columns.entries()) {
    const cell = record[index] ?? '';
    if (cell === '' || column === null || IGNORED.has(column)) continue;
    const text = textOfCell(column, cell);
    if (text === undefined) {
      const detail = "The cell begins as a formula does; write ' before it to keep it as text";
      faults.push({ line, pointer: `/${column}`, code: 'invalid_value', detail });
    } else if (column.startsWith(METADATA)) metadata[column.slice(METADATA.length)] = text;
    else members[column] = column === 'tags' ? tagsOf(text) : column === 'metadata' ? jsonOr(text) : text;
  }
  const { metadata: given } = members;
  if (Object.keys(metadata).length > 0 && (given === undefined || isPlain(given))) {
    members['metadata'] = { ...(given as object | undefined), ...metadata };
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

/** A list of JSON, as exports have it, or tags between semicolons. */
function tagsOf(text: string): unknown {
  if (text.startsWith('[')) return jsonOr(text);
  return text
    .split(';')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** A text that is no JSON stays: the schema refuses it. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
