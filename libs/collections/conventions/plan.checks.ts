import { genericPlanOf, planOf, rowsRead } from '@lyceum/testing';
import { assert } from './assertions.js';
import type { Check } from './check.js';
import type { Statement } from './convention-api.js';
import { expansionsOf } from './fence.checks.js';
import { Lists } from './list.checks.js';
import type { Made, Operation, Subject } from './subject.js';

const ROWS = 5_000;
/** Rows that the statement of one page may read: it shows 20 and asks for one more. */
const MOST = 400;

/** Each declared filter, order and expansion on a large table: an index serves it. */
export function planChecks(subject: Subject): Check[] {
  const operation = subject.find('list');
  if (operation === undefined) return [];
  const { api, cases } = subject;
  const { parameters = [] } = operation.described;
  const lists = new Lists(subject, operation);
  const site = api.sites[3];
  let template: Promise<Made> | undefined;
  /** Original rows of the site, to which other objects may refer. */
  let kept: readonly string[] = [];

  const ask = (text: string, values: unknown[]): Promise<object[]> => api.query(text, values);
  const listed = async (query: string): Promise<Statement[]> => {
    const { parent } = await (template ??= fill());
    const path = `${subject.pathOf(operation, { parent, id: '' })}?${query}`;
    return api.statements(async () => {
      const response = await api.send('GET', path, { site });
      assert.equal(response.status, 200, response.text);
    });
  };
  const served = async (query: string): Promise<void> => {
    const statements = (await listed(query)).filter(({ text }) => new RegExp(`\\b${subject.table}\\b`).test(text));
    assert(statements.length > 0, 'The list sent no statement');
    for (const statement of statements) {
      // A constant limit lets PostgreSQL choose the plan for all values.
      const generic = /limit \d+$/.test(statement.text) ? await genericPlanOf(ask, statement) : [];
      for (const node of [...(await planOf(ask, statement)), ...generic])
        assert(
          rowsRead(node) <= MOST,
          `${query}: ${node['Node Type']} on ${node['Relation Name'] ?? ''} reads ${rowsRead(node)} rows: ${statement.text}`,
        );
    }
  };
  const rule = (query: (made: Made) => string, name: string): Check => ({
    name: `serves ${name} by an index: ${operation.name}`,
    run: async () => served(query(await (template ??= fill()))),
  });
  const equals = (name: string, value: unknown): string => `${name}=${encodeURIComponent(String(value))}`;
  const expand = parameters.some(({ name }) => name === 'expand');

  return [
    ...lists.sorts.map((sort) => rule(() => `sort=${sort}`, `sort=${sort}`)),
    ...Object.entries(cases.filters ?? {}).flatMap(([name, [has, lacks]]) => [
      rule(({ object }) => equals(name, has(object)), `${name} that objects have`),
      rule(() => equals(name, lacks), `${name} that none has`),
    ]),
    ...lists.parameters
      .filter((name) => name.endsWith('[gte]'))
      .flatMap((name) => {
        const member = name.replace('[gte]', '');
        // Lists have no order by an instant that can be missing.
        const [up, down] = lists.sorts.includes(member) ? [`sort=${member}&`, `sort=-${member}&`] : ['', ''];
        return [
          rule(() => equals(`${down}${name}`, '2999-01-01T00:00:00Z'), `${name} in the future`),
          rule(() => equals(`${up}${member}[lt]`, '2000-01-01T00:00:00Z'), `${member}[lt] in the past`),
        ];
      }),
    ...lists.several.map(([name, values]) => rule(() => `${name}=${values.join(',')}`, `several values of ${name}`)),
    ...(lists.parameters.includes('metadata') ? [rule(() => 'metadata[matrix]=one', 'metadata')] : []),
    ...(cases.search === undefined ? [] : [rule(({ object }) => equals('q', cases.search?.(object)), 'q')]),
    ...(expand ? [expansion(operation)] : []),
    { name: `empties the large table: ${operation.name}`, run: empty },
  ];

  function expansion(of: Operation): Check {
    return {
      name: `sends one statement for an expansion: ${of.name}`,
      run: async () => {
        const names = expansionsOf(of);
        assert(names.length > 0);
        const plain = (await listed('limit=20')).length;
        for (const name of names) {
          const statements = await listed(`limit=20&expand=${name}`);
          assert.equal(statements.length, plain + 1, name);
          const last = statements.at(-1) ?? { text: '', values: [] };
          await api.query('set enable_seqscan = off');
          const nodes = await planOf(ask, last);
          await api.query('reset enable_seqscan');
          const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
          assert.deepEqual(scans, [], last.text);
        }
      },
    };
  }

  /** Clones one object into many rows, each a second older than the one before. */
  async function fill(): Promise<Made> {
    const made = await subject.make(site);
    const rows = await api.query<{ id: string }>(`select id from ${subject.table} where site_id = $1`, [site.site_id]);
    kept = rows.map(({ id }) => id);
    const clones = [...(cases.unique ?? []), ...(cases.distinct ?? [])].map(
      (member) =>
        `, '${member}', case when pg_typeof(t.${member}) = 'uuid'::regtype then uuidv7()::text else t.${member} || '-' || n end`,
    );
    const times = ['created_at', 'updated_at']
      .filter((member) => member in made.object)
      .map((member) => `, '${member}', t.${member} - n * interval '1 second'`);
    const stored = await api.query<{ name: string }>(
      `select format('%I', attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [subject.table],
    );
    const columns = stored.map(({ name }) => name);
    // In the list of columns, `(function()).*` would call the function once for each column.
    await api.query(
      `insert into ${subject.table} (${columns.join(', ')})
       select ${columns.map((column) => `clone.${column}`).join(', ')}
       from ${subject.table} t, generate_series(1, ${ROWS}) n,
         jsonb_populate_record(t, jsonb_build_object('id', uuidv7()${[...times, ...clones].join('')})) clone
       where t.site_id = $1 and t.id = $2`,
      [site.site_id, made.id],
    );
    if (lists.parameters.includes('metadata')) {
      const one = `update ${subject.table} set metadata = '{"matrix":"one"}' where site_id = $1 and id = $2`;
      await api.query(one, [site.site_id, made.id]);
    }
    await api.query(`analyze ${subject.table}`);
    return made;
  }

  async function empty(): Promise<void> {
    // The run leaves out the checks that fill the table.
    if (template === undefined) return assert.deepEqual(kept, []);
    await template;
    // A log refuses deletions.
    await api.query(`alter table ${subject.table} disable trigger user`);
    await api.query(`delete from ${subject.table} where site_id = $1 and id <> all($2)`, [site.site_id, kept]);
    await api.query(`alter table ${subject.table} enable trigger user`);
    const rows = await api.query(`select id from ${subject.table} where site_id = $1`, [site.site_id]);
    assert(rows.length <= kept.length, `${rows.length - kept.length} rows are left`);
  }
}
