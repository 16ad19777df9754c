import type { ReceivedResponse } from '@lyceum/testing';
import { assert } from './assertions.js';
import type { Json } from './cases.js';
import type { Check } from './check.js';
import type { Made, Operation, Subject } from './subject.js';
import { unique } from './unique.js';

const COUNT = 5;
const COMMON = ['limit', 'cursor', 'sort', 'fields', 'include_total', 'q', 'expand', 'metadata'];
const DATED = 'created_at[gte]';

interface List {
  readonly data: Json[];
  readonly page: { next_cursor: string | null; has_more: boolean; limit: number; total_count?: number };
}

/** The list of the quiet site, which has few objects. */
export class Lists {
  readonly parameters: readonly string[];
  readonly sorts: readonly string[];
  #made: Promise<readonly Made[]> | undefined;

  constructor(
    readonly subject: Subject,
    readonly operation: Operation,
  ) {
    const { parameters = [] } = operation.described;
    this.parameters = parameters.filter((one) => one.in === 'query').map(({ name = '' }) => name);
    const sort = parameters.find(({ name }) => name === 'sort');
    this.sorts = (sort?.schema?.['enum'] ?? []) as string[];
  }

  get site() {
    return this.subject.api.sites[2];
  }

  get made(): Promise<readonly Made[]> {
    return (this.#made ??= this.#make());
  }

  /** Ids of all objects of the list, those included that writes of other collections have left. */
  async all(): Promise<string[]> {
    const made = await this.made;
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { data, page } = await this.read(`limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      ids.push(...data.map(({ id }) => String(id)));
      cursor = page.next_cursor;
    }
    for (const { id } of made) assert(ids.includes(id), `${id} is not in the list`);
    return ids;
  }

  async #make(): Promise<readonly Made[]> {
    const made: Made[] = [];
    for (let index = 0; index < COUNT; index += 1) made.push(await this.subject.make(this.site));
    return made;
  }

  async path(query: string): Promise<string> {
    const parent = await this.subject.parentAt(this.site);
    return `${this.subject.pathOf(this.operation, { parent, id: '' })}?${query}`;
  }

  async ask(query: string): Promise<ReceivedResponse<Record<string, unknown>>> {
    await this.made;
    return this.subject.api.send('GET', await this.path(query), { site: this.site });
  }

  async read(query: string): Promise<List> {
    const response = await this.ask(query);
    assert.equal(response.status, 200, `${query}: ${response.text}`);
    const { data, page } = response.body as object as List;
    assert.equal(page.has_more, page.next_cursor !== null);
    const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers['link'] ?? '') ?? [];
    assert.equal(next === undefined ? null : new URL(next).searchParams.get('cursor'), page.next_cursor);
    return { data, page };
  }

  /** Filters that take several values, with these. */
  get several(): readonly (readonly [name: string, values: readonly string[]])[] {
    const { parameters = [] } = this.operation.described;
    return parameters.flatMap(({ name = '', schema }) => {
      const [one] = (schema?.['anyOf'] ?? []) as Json[];
      return one === undefined ? [] : [[name, one['enum'] as string[]] as const];
    });
  }

  /** Names of the filters by equality. */
  get filters(): readonly string[] {
    return this.parameters.filter((name) => !COMMON.includes(name) && !name.includes('['));
  }
}

export function listChecks(subject: Subject): Check[] {
  const operation = subject.find('list');
  if (operation === undefined) return [];
  const { api, cases } = subject;
  const { parameters = [] } = operation.described;
  const lists = new Lists(subject, operation);
  const dated = lists.parameters.includes(DATED);
  const rule = (name: string, run: () => Promise<void>): Check => ({ name: `${name}: ${operation.name}`, run });
  const refuse = async (query: string, code: string): Promise<void> => {
    const { status, body } = await lists.ask(query);
    assert.deepEqual([status, body['code']], [400, code], query);
  };
  const ids = ({ data }: List): unknown[] => data.map(({ id }) => id);
  const countsNoneOfTheFuture = rule('counts none of the future', async () => {
    const { page, data } = await lists.read(`include_total=true&${DATED}=2999-01-01T00:00:00Z`);
    assert.deepEqual([page.total_count, data], [0, []]);
  });

  return [
    rule('accepts limits from 1 to 100 and no others', async () => {
      for (const limit of ['0', '101', '-1', '', '1e1', '5&limit=6']) await refuse(`limit=${limit}`, 'invalid_request');
      assert.deepEqual((await lists.read('limit=1')).page.limit, 1);
      assert.deepEqual((await lists.read('limit=100')).page.limit, 100);
      assert.deepEqual((await lists.read('')).page.limit, 20);
    }),
    rule('refuses unknown parameters and values', async () => {
      for (const name of ['offset', 'page', 'created_at[eq]', '__proto__'])
        await refuse(`${name}=1`, 'unknown_parameter');
      const instants = dated ? ['yesterday', '0000-01-01T00:00:00Z'].map((instant) => `${DATED}=${instant}`) : [];
      const closed = parameters
        .filter(({ schema }) => schema?.['enum'] !== undefined || schema?.['anyOf'] !== undefined)
        .flatMap(({ name = '' }) => [`${name}=~`, `${name}=`, `${name}=,`]);
      const control = lists.filters.map((name) => `${name}=%00`);
      for (const query of ['fields=id,site_id', 'include_total=1', ...instants, ...closed, ...control]) {
        await refuse(query, 'invalid_request');
      }
    }),
    rule('refuses a cursor of another list', async () => {
      const { page } = await lists.read('limit=1');
      const cursor = page.next_cursor ?? '';
      assert.equal((await lists.ask(`limit=2&cursor=${cursor}`)).status, 200);
      const position = Buffer.from(cursor, 'base64url').subarray(16).toString('base64url');
      const plain = Buffer.from(JSON.stringify([new Date().toISOString(), (await lists.made)[0]?.id])).toString(
        'base64url',
      );
      const other = lists.sorts[1] ?? '';
      const swapped = [0, cursor.length - 4].map((at) => changedAt(cursor, at));
      const changed = ['abc', '20', position, plain, ...swapped, `${cursor}&sort=${other}`];
      if (dated) changed.push(`${cursor}&${DATED}=2000-01-01T00:00:00Z`);
      for (const query of changed) {
        await refuse(`cursor=${query}`, 'invalid_cursor');
      }
      const path = subject.pathOf(operation, { parent: await subject.parentAt(api.sites[0]), id: '' });
      const elsewhere = await api.send('GET', `${path}?cursor=${cursor}`);
      assert.equal(elsewhere.body['code'], 'invalid_cursor', 'at another site');
      for (const other of api.description.lists().filter((one) => one !== operation.path)) {
        const { body } = await api.send('GET', `${other}?cursor=${cursor}`, { site: lists.site });
        assert.equal(body['code'], 'invalid_cursor', other);
      }
    }),
    rule('sorts by creation and by change in both directions', async () => {
      for (const sort of ['-created_at', 'created_at', '-updated_at', 'updated_at'])
        assert(lists.sorts.includes(sort), sort);
    }),
    rule('filters by time, own key and words', async () => {
      // Callers have keys for what they make, and words for what has text.
      const own = subject.find('create') === undefined ? [] : ['external_id'];
      const words = cases.search === undefined ? [] : ['q'];
      for (const name of ['created_at[gte]', 'updated_at[gte]', ...own, ...words]) {
        assert(lists.parameters.includes(name), name);
      }
    }),
    ...lists.sorts.map((sort) =>
      rule(`pages through everything once with sort=${sort}`, async () => {
        const expected = await lists.all();
        const seen: Json[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const { data, page } = await lists.read(`limit=2&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`);
          seen.push(...data);
          cursor = page.next_cursor;
          assert(seen.length <= expected.length, 'A page repeats objects');
        }
        assert.deepEqual(seen.map(({ id }) => String(id)).toSorted(), expected.toSorted());
        const values = seen.map((one) => String(one[sort.replace('-', '')]));
        assert.deepEqual(values, sort.startsWith('-') ? values.toSorted().reverse() : values.toSorted());
      }),
    ),
    rule('has a case for each filter', async () => {
      assert.deepEqual(lists.filters.toSorted(), Object.keys(cases.filters ?? {}).toSorted());
      assert.equal(lists.parameters.includes('q'), cases.search !== undefined, 'q');
    }),
    ...Object.entries(cases.filters ?? {}).map(([name, [has, lacks]]) =>
      rule(`filters by ${name}`, async () => {
        const [made] = await lists.made;
        const value = (of: unknown): string => `limit=100&${name}=${encodeURIComponent(String(of))}`;
        const found = await lists.read(value(has(made?.object ?? {})));
        assert(ids(found).includes(made?.id), 'The filter hides an object that has the value');
        for (const one of found.data) assert.deepEqual(has(one), has(made?.object ?? {}));
        assert.deepEqual(ids(await lists.read(value(lacks))), [], 'The filter shows an object that lacks the value');
      }),
    ),
    ...lists.parameters
      .filter((name) => name.endsWith('[gte]'))
      .map((name) =>
        rule(`filters by ${name.replace('[gte]', '')}`, async () => {
          const member = name.replace('[gte]', '');
          const [first] = await lists.made;
          const value = first?.object[member];
          const instant = encodeURIComponent(typeof value === 'string' ? value : '2026-11-20T08:00:00Z');
          // An object without the instant is on neither side.
          for (const [comparison, included] of [
            ['gte', value !== null],
            ['lte', value !== null],
            ['gt', false],
            ['lt', false],
          ] as const) {
            const found = ids(await lists.read(`limit=100&${member}[${comparison}]=${instant}`));
            assert.equal(found.includes(first?.id), included, comparison);
          }
        }),
      ),
    ...lists.several.map(([name, values]) =>
      rule(`filters by several values of ${name}`, async () => {
        const all = new Set(await lists.all());
        const found: string[] = [];
        for (const value of values) found.push(...ids(await lists.read(`limit=100&${name}=${value}`)).map(String));
        assert(found.length > 1, `No object has a ${name}`);
        const query = `limit=1&include_total=true&${name}=${values.join(',')}`;
        let { data, page } = await lists.read(query);
        assert.equal(page.total_count, found.length);
        const seen: Json[] = [...data];
        while (page.next_cursor !== null) {
          const reordered = query.replace(values.join(','), [...values, ...values].toReversed().join(','));
          ({ data, page } = await lists.read(`${reordered}&cursor=${page.next_cursor}`));
          seen.push(...data);
        }
        assert.deepEqual(seen.map(({ id }) => String(id)).toSorted(), found.toSorted());
        for (const { id } of seen) assert(all.has(String(id)));
      }),
    ),
    ...[cases.search].flatMap((search) => (search === undefined ? [] : [findsByWords(search)])),
    rule('counts when asked', async () => {
      const { length } = await lists.all();
      assert.equal((await lists.read('include_total=true&limit=1')).page.total_count, length);
      assert.equal((await lists.read('limit=1')).page.total_count, undefined);
    }),
    ...(dated ? [countsNoneOfTheFuture] : []),
    rule('returns only the members of fields', async () => {
      const { data } = await lists.read('fields=id');
      assert(data.length > 0, 'The list is empty');
      for (const one of data) assert.deepEqual(Object.keys(one), ['id']);
    }),
    ...(lists.parameters.includes('metadata') && subject.find('patch') !== undefined ? [filtersByMetadata()] : []),
  ];

  function findsByWords(search: NonNullable<typeof cases.search>): Check {
    return rule('finds objects by words', async () => {
      const [made] = await lists.made;
      const word = search(made?.object ?? {});
      assert.deepEqual(ids(await lists.read(`q=${encodeURIComponent(word)}`)), [made?.id]);
      for (const q of [`${word} absent`, `${word}%25`, `${word}_`])
        assert.deepEqual(ids(await lists.read(`q=${q}`)), []);
      await refuse('q=%00', 'invalid_request');
    });
  }

  function filtersByMetadata(): Check {
    return rule('filters by metadata', async () => {
      const [made, other] = await lists.made;
      // Another list may have the same objects.
      const a = unique();
      for (const [one, b] of [
        [made, 'b'],
        [other, 'c'],
      ] as const) {
        const body = { metadata: { 'matrix-a': a, 'matrix.b': b } };
        const response = await api.send('PATCH', one?.path ?? '', { site: lists.site, body });
        assert.equal(response.status, 200, response.text);
      }
      const found = async (query: string) =>
        ids(await lists.read(`limit=100&${query}`))
          .map(String)
          .toSorted();
      assert.deepEqual(await found(`metadata[matrix-a]=${a}`), [String(made?.id), String(other?.id)].toSorted());
      assert.deepEqual(await found(`metadata[matrix-a]=${a}&metadata[matrix.b]=b`), [made?.id]);
      assert.deepEqual(await found('metadata[matrix.b]=a'), []);
      const { page } = await lists.read(`limit=1&metadata[matrix.b]=b&metadata[matrix-a]=${a}`);
      assert.equal(page.has_more, false);
      const keys = Array.from({ length: 11 }, (_, index) => `metadata[k${index}]=x`).join('&');
      for (const query of ['metadata=a', 'metadata[a]=%00', 'metadata[a]=1&metadata[a]=2', keys]) {
        await refuse(query, 'invalid_request');
      }
      for (const query of ['metadata[]=a', 'metadata[a', 'metadata[__proto__]=a', 'metadata[a b]=c']) {
        await refuse(query, 'unknown_parameter');
      }
    });
  }
}

/** The text with another character at one place. */
function changedAt(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);
}
