import type { Listing } from '@lyceum/rest';

interface Checked {
  readonly resource: Listing & { readonly defaultSort?: string };
  readonly unique?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** Words of SQL in expressions of a search, beside columns. */
const SQL_WORDS = new Set(['and', 'case', 'else', 'end', 'is', 'not', 'null', 'or', 'then', 'when']);

/** @throws Error for a declaration by which a statement would name a column that does not exist */
export function requireColumns(table: string, columns: readonly string[], { resource, unique = {} }: Checked): void {
  const { filters, conditions = {}, ranges, search, defaultSort } = resource;
  const require = (name: string, text: string): void => {
    if (!columns.includes(name)) throw new Error(`The store of ${table}: ${text}`);
  };
  for (const name of filters.filter((filter) => !(filter in conditions))) {
    // Each list with this filter has the same condition.
    require(name === 'tag' ? 'tags' : name, `the filter ${name} needs a column or a condition`);
  }
  for (const name of ranges) require(name, `the range ${name} needs a column`);
  if (defaultSort !== undefined) {
    const name = defaultSort.replace('-', '');
    require(name, `the sort ${name} needs a column`);
  }
  for (const name of Object.values(unique).flat()) require(name, `unique names ${name}, which is no column`);
  for (const name of namesIn(search?.text ?? '')) require(name, `the search names ${name}, which is no column`);
}

/** Returns the columns that an SQL expression names. A statement within it is not read. */
function namesIn(text: string): string[] {
  if (/\bselect\b/.test(text)) return [];
  const bare = text.replaceAll(/'[^']*'|::\w+(?:\[\])?|\b\w+\./g, ' ');
  const names = [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)].map(([name]) => name);
  return names.filter((name) => !SQL_WORDS.has(name));
}
