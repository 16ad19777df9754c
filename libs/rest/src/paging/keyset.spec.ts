import { Where, listStatement, pageStatement, unionStatement } from './keyset.js';
import type { Keyset } from './keyset.js';
import { containsWord } from './search.policy.js';

const site = { site_id: 's' };
const keyset = (change: Partial<Keyset> = {}): Keyset => ({
  columns: 'id, name',
  table: 'things',
  where: new Where(site),
  sort: { column: 'name', type: 'text' },
  descending: false,
  after: undefined,
  limit: 9,
  withTotal: false,
  ...change,
});

describe('the conditions of a list', () => {
  it('begins with the site, and leaves out unset filters', () => {
    const where = new Where(site).and('state = ?', undefined).and('q = ?', 'x').also('not hidden');
    expect(where.text).toBe('site_id = $1 and q = $2 and not hidden');
    expect(where.values).toEqual(['s', 'x']);
  });
});

describe('the statement of a page', () => {
  it('reads one row more than the page holds', () => {
    const { text, values } = pageStatement(keyset());
    expect(text).toBe('select id, name from things where site_id = $1 order by name asc, id asc limit $2');
    expect(values).toEqual(['s', 10]);
  });

  it.each([20, 100])('names the usual limit of %i in the text', (limit) => {
    const where = new Where(site).also('not hidden');
    const { text, values } = pageStatement(keyset({ where, limit, after: ['Beta', 'i'] }));
    expect(text).toMatch(new RegExp(`limit ${limit + 1}$`));
    expect(values).toEqual(['s', 'Beta', 'i']);
  });

  it.each([
    ['a filter', new Where(site).and('state = ?', 'open')],
    ['words', new Where(site).words('name', 'beta')],
    ['a range', new Where(site).range('paid_at', { 'paid_at[gte]': '2026-11-20' })],
    ['several values', new Where(site).anyOf('state', ['open', 'closed'])],
  ])('keeps the limit a parameter with %s', (_filter, where) => {
    const { text, values } = pageStatement(keyset({ where, limit: 20 }));
    expect(text).toMatch(/limit \$\d$/);
    expect(values.at(-1)).toBe(21);
  });

  it('goes on behind the last row, in either direction', () => {
    const after = ['Beta', 'i'] as const;
    expect(pageStatement(keyset({ after })).text).toContain('(name, id) > ($2::text, $3::uuid)');
    const down = pageStatement(keyset({ after, descending: true }));
    expect(down.text).toContain('(name, id) < ($2::text, $3::uuid) order by name desc, id desc');
    expect(down.values).toEqual(['s', 'Beta', 'i', 10]);
  });

  it('counts without the position', () => {
    const { text } = pageStatement(keyset({ after: ['Beta', 'i'], withTotal: true }));
    expect(text).toContain('(select count(*)::int as total_count from things where site_id = $1) total');
  });

  it('uses one name for one text, and another for another', () => {
    const name = (change: Partial<Keyset>) => pageStatement(keyset(change)).name;
    expect(name({ limit: 5 })).toBe(name({ limit: 50 }));
    expect(name({ where: new Where({ site_id: 'other' }) })).toBe(name({}));
    expect(name({ descending: true })).not.toBe(name({}));
    expect(name({})?.length).toBeLessThanOrEqual(63);
  });
});

it('reads a page of each of several values, because an index orders the rows of one', () => {
  const where = new Where(site).anyOf('state', ['a', 'b']).also('not hidden');
  const { text, values } = pageStatement(keyset({ where, after: ['Beta', 'i'], withTotal: true }));
  const part = (place: number): string =>
    `(select id, name from things where site_id = $1 and state = $${place} and not hidden and (name, id) > ($4::text, $5::uuid) order by name asc, id asc limit $6)`;
  expect(text).toContain(`select * from (${part(2)} union all ${part(3)}) found order by name asc, id asc limit $6`);
  expect(text).toContain('from things where site_id = $1 and state in ($2, $3) and not hidden) total');
  expect(values).toEqual(['s', 'a', 'b', 'Beta', 'i', 10]);
});

describe('the statement of several tables', () => {
  const sources = ['things', 'others'].map((table) => ({
    columns: 'id, name',
    table,
    condition: 'shown',
    text: `${table}_text`,
  }));
  const union = {
    name: 'all',
    sources,
    q: undefined,
    where: new Where({ site_id: 's' }),
    sort: keyset().sort,
    limit: 20,
  };

  it('reads no more of each than the page holds and one, behind the last row', () => {
    const { text, values } = unionStatement({ ...union, after: ['Beta', 'i'] });
    const part = (table: string): string =>
      `(select id, name from ${table} where site_id = $1 and shown and (name, id) > ($2::text, $3::uuid) order by name, id limit $4)`;
    expect(text).toBe(`select * from (${part('things')} union all ${part('others')}) found order by name, id limit $4`);
    expect(values).toEqual(['s', 'Beta', 'i', 21]);
  });

  it('asks each table for all words, by its own text', () => {
    const { text, values } = unionStatement({ ...union, q: 'a  100%', after: undefined });
    for (const table of ['things', 'others']) {
      const words = ['$3', '$4'].map((word) => containsWord(`${table}_text`, word));
      expect(text).toContain(`and ${words.join(' and ')} order by`);
    }
    expect(values).toEqual(['s', 21, 'a', '100%']);
  });

  it('begins at the beginning, under another name', () => {
    const first = unionStatement({ ...union, after: undefined });
    expect(first.values).toEqual(['s', 21]);
    expect(first.name).not.toBe(unionStatement({ ...union, after: ['Beta', 'i'] }).name);
  });
});

it('compares positions of a list as numbers, in order', () => {
  const query = { sort: 'position', limit: 20, include_total: false };
  const { text } = listStatement({ columns: 'id, position', table: 'things', where: new Where(site) }, query, [
    '9',
    'i',
  ]);
  expect(text).toContain('(position, id) > ($2::int, $3::uuid) order by position asc, id asc');
});
