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
        where i.indrelid = f.conrelid and i.indisvalid
          and ((i.indkey::int2[])[0:least(cardinality(f.conkey), i.indnkeyatts) - 1] @> f.conkey
            or i.indisunique and (i.indkey::int2[])[0:i.indnkeyatts - 1] <@ f.conkey)
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
            select format('(%I IS NOT NULL)', a.attname) from pg_attribute a
             where a.attrelid = f.conrelid and a.attnum = any(f.conkey))))
   order by 1`;

/**
 * Foreign keys that no index serves, such as `consents (client_key) of clients`. PostgreSQL reads all rows of their
 * table, or of a site, for each row that is deleted of the other one. An index serves a key if it begins with the
 * columns of the key, or if it is unique with some of them. It may leave out rows in which such a column is null.
 */
export async function unindexedForeignKeys(database: Queries): Promise<string[]> {
  const rows = (await database.query(UNINDEXED)) as { key: string }[];
  return rows.map(({ key }) => key);
}
