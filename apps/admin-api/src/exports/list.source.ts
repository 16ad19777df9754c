import { View } from '@lyceum/collections';
import type { Caller } from '@lyceum/collections';
import { isAdministrator } from '@lyceum/contracts';
import { LINE, lineSql } from '@lyceum/rest';
import type { LineColumns, ListQuery, ListedLine, Listing, Page } from '@lyceum/rest';
import type { z } from 'zod';
import { EXPORT_LIMITS } from './export.policy.js';
import type { ExportFilters } from './export.schema.js';
import type { ExportWork, ExportedRows, Source } from './export.source.js';

interface Listed extends Pick<Listing, 'filters' | 'ranges' | 'search'> {
  readonly filterSchemas: z.core.$ZodShape;
}

/** A list of objects, as the API shows it. */
interface ObjectList extends Pick<Source, 'forAdministrators' | 'atRequest'> {
  readonly shown: ConstructorParameters<typeof View>[0] & { readonly resource: Listed };
  /** Filters of the path, such as the parent. */
  readonly more?: readonly string[];
  /** The columns, where PostgreSQL writes the rows of a file. Without them, JavaScript does. */
  readonly lines?: LineColumns;
  readonly list: (caller: Caller, query: ListQuery, filters: ExportFilters) => Promise<Page<object>>;
}

/** Exports the objects of a list in the order of their ids. Objects that are newer than the export are left out. */
export function listSource({ shown, more = [], lines, list, ...rest }: ObjectList): Source {
  const view = new View(shown);
  const { filters, ranges, search, filterSchemas } = shown.resource;
  const written: Partial<Record<ExportWork['format'], string>> =
    lines === undefined ? {} : { csv: lineSql('csv', lines), jsonl: lineSql('jsonl', lines) };
  const known = [...filters, ...more, ...ranges, ...(search === undefined ? [] : ['q'])];
  return {
    ...rest,
    columns: view.columns,
    filters: Object.fromEntries(known.map((name) => [name, filterSchemas[name] as z.ZodType | undefined])),
    read: async (caller, work, cursor, limit) => {
      const query = { ...listed(work.filters, work.created_at), sort: 'id', cursor, include_total: false };
      // The fence of a teacher can narrow values of a row.
      const sql = isAdministrator({ roles: caller.roles ?? [] }) ? written[work.format] : undefined;
      if (sql !== undefined) {
        const text = textOf(await list(caller, { ...query, limit, [LINE]: sql }, work.filters));
        if (text !== undefined) return text;
      }
      const page = await list(caller, { ...query, limit: EXPORT_LIMITS.rowsOfStatement }, work.filters);
      return { rows: page.rows, show: (row) => view.summary(row), next: page.next };
    },
  };
}

/** Returns the lines of a page, or undefined if only JavaScript can write one of its rows. */
function textOf({ rows, next }: Page<object>): ExportedRows | undefined {
  const lines: string[] = [];
  for (const { line } of rows as readonly ListedLine[]) {
    if (line === null) return undefined;
    lines.push(line);
  }
  return { rows, lines, show: (row) => row, next };
}

/** Converts filters to the parameters of a list, such as `created_at[gte]`. */
function listed(filters: ExportFilters, until: Date): Readonly<Record<string, unknown>> {
  const parameters = Object.entries(filters).flatMap(([name, value]): [string, unknown][] =>
    value !== null && typeof value === 'object'
      ? Object.entries(value).map(([comparison, instant]) => [`${name}[${comparison}]`, instant])
      : [[name, value]],
  );
  const given: Readonly<Record<string, unknown>> = Object.fromEntries(parameters.filter(([, value]) => value !== null));
  const last = filters.created_at?.lte ?? null;
  const end = last !== null && new Date(last) < until ? last : until.toISOString();
  return { ...given, 'created_at[lte]': end };
}
