import { pipeline } from 'node:stream';
import { isObject } from '@lyceum/platform';
import { CsvError, parse } from 'csv-parse';
import type { Info } from 'csv-parse';
import { cellsOf, columnsOf } from './import.columns.policy.js';
import type { Column, RawRow } from './import.columns.policy.js';
import type { Import } from './import.entity.js';
import { FileFault } from './import.faults.js';
import type { ImportKind } from './import.kind.js';
import { IMPORT_LIMITS } from './import.policy.js';
import { newlinesIn, textOf } from './import.text.js';

const { bytesOfRow } = IMPORT_LIMITS;
const TOO_LONG = `A row has more than ${bytesOfRow} bytes`;

/** Messages by the code of the parser. */
const SYNTAX: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quoted cell is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'A quoted cell goes on after its closing quote; write " twice within a quoted cell',
  INVALID_OPENING_QUOTE: 'A quote stands within a cell that is not quoted; quote the cell and write " twice',
  CSV_MAX_RECORD_SIZE: `${TOO_LONG}, or a quoted cell is not closed`,
};

/** How the file is written. */
export type FileForm = Pick<Import, 'format' | 'encoding' | 'mapping' | 'mode'>;

/**
 * The rows of a file, one after the other.
 *
 * @throws {FileFault} where the rest of the file cannot be read, and for a file without rows
 */
export async function* rowsOf(
  pieces: AsyncIterable<Uint8Array>,
  form: FileForm,
  kind: ImportKind,
): AsyncGenerator<RawRow> {
  const text = textOf(pieces, form.encoding);
  const rows = form.format === 'csv' ? csvRows(text, form, kind) : jsonRows(text);
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > IMPORT_LIMITS.rows) refuse(row.line, 'too_large', `A file has at most ${IMPORT_LIMITS.rows} rows`);
    yield row;
  }
  if (count === 0) refuse(1, 'required', 'The file has no rows');
}

async function* csvRows(text: AsyncIterable<string>, form: FileForm, kind: ImportKind): AsyncGenerator<RawRow> {
  const parser = parse({
    info: true,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: bytesOfRow,
  });
  let failure: unknown;
  const records: AsyncIterable<{ readonly info: Info; readonly record: string[] }> = pipeline(text, parser, (error) => {
    failure = error;
  });
  let columns: readonly Column[] | undefined;
  try {
    for await (const { info, record } of records) {
      const line = info.lines - record.reduce((sum, cell) => sum + newlinesIn(cell), 0);
      if (columns === undefined) columns = columnsOf(record, line, form, kind);
      else yield cellsOf(columns, record, line, { kind, mapping: form.mapping });
    }
  } catch (thrown) {
    const error = failure ?? thrown;
    if (!(error instanceof CsvError)) throw error;
    refuse(Number(error['lines']), 'invalid_format', SYNTAX[error.code] ?? error.message);
  }
}

async function* jsonRows(text: AsyncIterable<string>): AsyncGenerator<RawRow> {
  let line = 0;
  for await (const source of linesOf(text)) {
    line += 1;
    if (source.trim() !== '') yield jsonRow(source, line);
  }
}

function jsonRow(source: string, line: number): RawRow {
  try {
    const members: unknown = JSON.parse(source);
    if (isObject(members)) return { line, members, faults: [] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const detail = 'The line is not an object of JSON';
  const fault = { line, pointer: '', code: 'invalid_format', detail, column: null, value: null } as const;
  return { line, members: {}, faults: [fault] };
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let count = 0;
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      count += 1;
      yield requireFit(line, count);
    }
    requireFit(rest, count + 1);
  }
  if (rest !== '') yield rest;
}

function requireFit(line: string, number: number): string {
  if (line.length > bytesOfRow) refuse(number, 'too_large', TOO_LONG);
  return line;
}

function refuse(line: number, code: 'required' | 'too_large' | 'invalid_format', detail: string): never {
  throw new FileFault({ line, pointer: '', code, detail });
}
