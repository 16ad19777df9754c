interface Queries {
  query(text: string): Promise<unknown>;
}

const UNINDEXED = `
  select format('%s (%s) of %s', f.conrelid::regclass,
                (select string_agg(a.attname, ', ' order by k.place) from unnest(f.conkey) with ordinality as k (number, place)
                   join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number),
                f.confrelid::regclass) as key
    from pg_constraint f
   where f.contype = 'f' and f.conparentid = 0 and f.connamespace = current_schema()::regnamespace
     and not exists (
       select from pg_index i
        where i.indrelid = f.conrelid and i.indpred is null and i.indisvalid
          and (i.indkey::int2[])[0:cardinality(f.conkey) - 1] @> f.conkey)
   order by 1`;

/**
 * Foreign keys without an index that begins with their columns, such as `consents (client_key) of clients`. PostgreSQL
 * reads all rows of their table for each row that is deleted of the other one.
 */
export async function unindexedForeignKeys(database: Queries): Promise<string[]> {
  const rows = (await database.query(UNINDEXED)) as { key: string }[];
  return rows.map(({ key }) => key);
}
