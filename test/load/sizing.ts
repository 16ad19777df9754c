/**
 * Arithmetic of docs/operate/scale.md: measured bytes of a row × rows of a person or site.
 *
 * `node test/load/sizing.ts auth=<url> school=<url> learner=<url>` measures the rows of a filled deployment and prints
 * the tables of the page. `--people` and `--sites` set its size.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { HOLDINGS, type Holding } from './sizing-model.ts';

/** Estimated bytes of one row: header, columns and line pointer, and the entries of its indexes at 90 % of a page. */
const WIDTHS = `
  with columns as (
    select c.oid, c.relname, a.attnum, s.avg_width * (1 - s.null_frac) as width
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_stats s on s.schemaname = 'public' and s.tablename = c.relname and s.attname = a.attname
                     and s.inherited = (c.relkind = 'p')
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition)
  select relname as table, (28 + ceil(sum(width) / 8) * 8)::float8 as heap,
         coalesce((select sum((12 + ceil(keys.width / 8) * 8) / 0.9) from (
           select i.indexrelid, sum(k.width) as width from pg_index i
             join columns k on k.oid = i.indrelid and k.attnum = any(i.indkey::int2[])
            where i.indrelid = columns.oid and i.indpred is null group by i.indexrelid) as keys), 0)::float8 as indexes
    from columns group by oid, relname`;

interface Width {
  readonly table: string;
  readonly heap: number;
  readonly indexes: number;
}

async function measure(url: string): Promise<ReadonlyMap<string, Width>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('analyze');
    const { rows } = await client.query<Width>(WIDTHS);
    return new Map(rows.map((row) => [row.table, row]));
  } finally {
    await client.end();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { people: { type: 'string', default: '50000000' }, sites: { type: 'string', default: '10000' } },
});
const size = { person: Number(values.people), site: Number(values.sites) };
const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0);

for (const argument of positionals) {
  const [name = '', ...url] = argument.split('=');
  const widths = await measure(url.join('='));
  let sum = 0;
  process.stdout.write(`\n${name}\n\n| Table | Bytes of a row | Rows | GB |\n| --- | --- | --- | --- |\n`);
  const bytesOf = ({ table, each, of }: Holding): [number, number] => {
    const width = widths.get(table);
    if (width === undefined) process.stderr.write(`${name} has no rows of ${table}: its size is missing\n`);
    return [width === undefined ? NaN : width.heap + width.indexes, each * size[of]];
  };
  for (const holding of HOLDINGS.filter(({ database }) => database === name)) {
    const [bytes, rows] = bytesOf(holding);
    if (!Number.isNaN(bytes)) sum += bytes * rows;
    const millions = (rows / 1e6).toFixed(rows < 1e7 ? 1 : 0);
    process.stdout.write(
      `| \`${holding.table}\` | ${bytes.toFixed(0)} | ${millions} M | ${gigabytes(bytes * rows)} |\n`,
    );
  }
  process.stdout.write(`| all of these | | | ${gigabytes(sum)} |\n`);
}
