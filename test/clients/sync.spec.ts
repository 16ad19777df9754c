import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@lyceum/testing';
import openapiTS, { astToString } from 'openapi-typescript';
import { systemStack } from '../stack/system-stack.js';
import { CompiledClient } from './compiled-client.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;

interface Change {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
}

interface Exports {
  follow<Row>(
    token: string,
    path: string,
    apply: (rows: Row[], cursor: string | null) => Promise<void>,
    cursor?: string,
  ): Promise<void>;
}

const recipe = new Recipe('sync', site.base_url);
let api: string;
beforeAll(async () => {
  const [, url = ''] = /openapi-typescript (\S+) -o api\.ts/.exec(recipe.block('sh')) ?? [];
  api = astToString(await openapiTS(new URL(url)));
});

it('compiles, and the type of a change narrows its data', () => {
  const narrowed = (member: string): string => `import type { Change } from './sync';
    export const studentOf = (change: Change): string | undefined =>
      change.type === 'enrollment.activated' ? change.data.${member} : undefined;`;
  const files = { api, sync: recipe.block('ts'), right: narrowed('student_id'), wrong: narrowed('code') };
  expect(new CompiledClient(files).faults()).toEqual({ wrong: expect.stringContaining("'code'") });
});

/** Sends a request with a JSON body. */
async function send(token: string, method: string, path: string, body?: object): Promise<{ id: string }> {
  const response = await fetch(`${site.base_url}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect([response.ok, text]).toEqual([true, text]);
  return (text === '' ? {} : JSON.parse(text)) as { id: string };
}

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();

/** Follows the feed from cursor to cursor. `poll` returns the types of the changes of an object so far. */
function feed(token: string) {
  const { follow } = recipe.run<Exports>({ api });
  const seen: Change[] = [];
  let stored: string | undefined;
  return {
    cursor: () => stored,
    poll: async (object_id: string): Promise<string[]> => {
      const apply = (changes: Change[], next: string | null): Promise<void> => {
        seen.push(...changes);
        stored = next!;
        return Promise.resolve();
      };
      await follow(token, `changes?created_at[gte]=${YESTERDAY}`, apply, stored);
      return seen.filter((change) => change.object_id === object_id).map(({ type }) => type);
    },
  };
}

it('follows the changes of a course up to its deletion, from cursor to cursor', async () => {
  const { follow } = recipe.run<Exports>({ api });
  const token = await tokenFor('operator', 'openid courses:read courses:write');
  const { cursor, poll } = feed(token);
  await poll('');
  // Taken before the course exists, so no change of it is lost.
  expect(cursor()).toBeDefined();
  const until = (object_id: string, count: number): Promise<string[]> =>
    eventually(
      () => poll(object_id),
      ({ length }) => length >= count,
    );
  const unique = Date.now().toString(36);
  const { id } = await send(token, 'POST', 'courses', { name: 'Followed', slug: `followed-${unique}` });
  expect(await until(id, 1)).toEqual(['course.created']);
  await send(token, 'PATCH', `courses/${id}`, { name: 'Followed closely' });
  await send(token, 'DELETE', `courses/${id}`);
  expect(await until(id, 3)).toEqual(['course.created', 'course.updated', 'course.deleted']);
  const other = await tokenFor('operator', 'openid school:read');
  const refused = follow(other, `changes?created_at[gte]=${YESTERDAY}`, () => Promise.resolve());
  await expect(refused).rejects.toThrow('insufficient_scope');
});

it('copies the edit of an object that has no event of its edits', async () => {
  const { follow } = recipe.run<Exports>({ api });
  const token = await tokenFor('operator', 'openid digital_products:read digital_products:write');
  const copy = new Map<string, string>();
  let latest = '2000-01-01T00:00:00.000Z';
  const read = (since: string): Promise<void> =>
    follow<{ id: string; name: string; updated_at: string }>(
      token,
      `digital_products?sort=updated_at&updated_at[gte]=${since}`,
      (rows) => {
        for (const { id, name } of rows) copy.set(id, name);
        latest = rows.at(-1)?.updated_at ?? latest;
        return Promise.resolve();
      },
    );
  const product = { name: 'Workbook', slug: `followed-${Date.now().toString(36)}` };
  const body = { ...product, price: { amount_minor: 100, currency: 'TWD' } };
  const { id } = await send(token, 'POST', 'digital_products', body);
  await read(latest);
  expect(copy.get(id)).toBe('Workbook');
  await send(token, 'PATCH', `digital_products/${id}`, { name: 'Second edition' });
  await read(new Date(Date.parse(latest) - 300_000).toISOString());
  expect(copy.get(id)).toBe('Second edition');
});

it('reads a list to its last page', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end(JSON.stringify({ data: [asked.length], page: { next_cursor: asked.length < 3 ? 'a/b' : null } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const applied: unknown[] = [];
  try {
    await new Recipe('sync', `http://127.0.0.1:${port}`)
      .run<Exports>({ api })
      .follow('token', 'pages?sort=updated_at', (rows, cursor) => Promise.resolve(void applied.push([rows, cursor])));
  } finally {
    server.close().closeAllConnections();
  }
  const path = '/api/v1/pages?sort=updated_at&limit=100';
  expect(asked).toEqual([path, `${path}&cursor=a%2Fb`, `${path}&cursor=a%2Fb`]);
  expect(applied).toEqual([
    [[1], 'a/b'],
    [[2], 'a/b'],
    [[3], null],
  ]);
});
