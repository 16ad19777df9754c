interface Queries {
  query(text: string): Promise<unknown>;
}

interface Line {
  readonly name: string;
  readonly definition: string;
}

/**
 * All definitions of the schema `public`, with the order of columns. Left out: the list of migrations, and names of
 * `not null` constraints, which contain former names of tables.
 */
const DEFINITIONS = `
  with own as (
    select c.* from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relname !~ '^(?:migrations|PK_)'
      and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
  )
  select 'extension ' || extname as name, extnamespace::regnamespace::text as definition from pg_extension
  union all
  select case relkind when 'v' then 'view ' else 'table ' end || relname,
         concat_ws(' ', relkind, relpersistence, array_to_string(reloptions, ','),
           case relkind when 'p' then pg_get_partkeydef(oid) when 'v' then pg_get_viewdef(oid) end,
           (select 'partition of ' || i.inhparent::regclass from pg_inherits i where i.inhrelid = own.oid),
           pg_get_expr(relpartbound, oid), case when relrowsecurity then 'row security' end, relacl::text)
  from own where relkind in ('r', 'p', 'v', 'm')
  union all
  select 'sequence ' || relname, s::text
  from own join lateral (
    select seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle
    from pg_sequence where seqrelid = own.oid) s on true
  union all
  select 'column ' || own.relname || '.' || a.attname,
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
           case a.attgenerated when '' then 'default ' when 's' then 'stored ' else 'virtual ' end
             || pg_get_expr(d.adbin, d.adrelid),
           case a.attidentity when 'a' then 'identity always' when 'd' then 'identity' end,
           (select 'collate ' || collname from pg_collation k where k.oid = a.attcollation and k.collname <> 'default'),
           case when a.attstorage <> t.typstorage then 'storage ' || a.attstorage::text end, a.attacl::text)
  from own join pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where own.relkind in ('r', 'p', 'v')
  union all
  select 'columns ' || own.relname, string_agg(a.attname, ', ' order by a.attnum)
  from own join pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped
  where own.relkind in ('r', 'p', 'v') group by own.relname
  union all
  select 'index ' || own.relname, pg_get_indexdef(own.oid) from own where relkind in ('i', 'I')
  union all
  select 'constraint ' || own.relname || '.' || k.conname, pg_get_constraintdef(k.oid)
  from own join pg_constraint k on k.conrelid = own.oid where k.contype <> 'n'
  union all
  select 'trigger ' || own.relname || '.' || t.tgname, pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text
  from own join pg_trigger t on t.tgrelid = own.oid where not t.tgisinternal
  union all
  select 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid) || coalesce(p.proacl::text, '')
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
  union all
  select 'type ' || t.oid::regtype, t.typtype::text from pg_type t
  where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd', 'r')
    and not exists (select from pg_depend d where d.objid = t.oid and d.classid = 'pg_type'::regclass and d.deptype = 'e')
  union all
  select 'statistics ' || stxname, pg_get_statisticsobjdef(oid) from pg_statistic_ext
  union all
  select 'policy ' || polrelid::regclass || '.' || polname, pg_get_expr(polqual, polrelid) from pg_policy
  union all
  select 'comment ' || pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description
  from pg_description d join own on own.oid = d.objoid and d.classoid = 'pg_class'::regclass`;

const TABLES = `
  select relname as name, '' as definition from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'`;

/** The schema and the rows of a migrated database, one definition after the other, without instants and months. */
export async function schemaSnapshot(database: Queries): Promise<string> {
  const lines = [...((await database.query(DEFINITIONS)) as readonly Line[])];
  for (const { name } of (await database.query(TABLES)) as readonly Line[]) {
    const rows = `select 'row ${name}' as name, to_jsonb(t)::text as definition from ${name} t`;
    lines.push(...((await database.query(rows)) as readonly Line[]));
  }
  const text = lines
    .map(({ name, definition }) => `${name}: ${definition}\n`)
    .toSorted()
    .join('');
  return numbered(
    numbered(text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"an instant"'), /(?<=_)\d{4}_\d{2}(?!\d)/g, 'month'),
    /(?<=')[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0{12}(?=')/g,
    'start',
  );
}

/** Numbers the values that depend on the time of the migration, in their order. */
function numbered(text: string, pattern: RegExp, word: string): string {
  const values = [...new Set(text.match(pattern))].toSorted();
  return text.replaceAll(pattern, (value) => `${word}_${values.indexOf(value)}`);
}
