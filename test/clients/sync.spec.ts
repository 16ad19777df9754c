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
  followChanges(
    token: string,
    place: { since: string; cursor?: string },
    apply: (changes: Change[], cursor: string) => Promise<void>,
  ): Promise<string>;
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

it('follows the changes of a course up to its deletion, from cursor to cursor', async () => {
  const { followChanges } = recipe.run<Exports>({ api });
  const token = await tokenFor('operator', 'openid courses:read courses:write');
  const place = { since: new Date().toISOString() };
  const seen: string[] = [];
  let stored: string | undefined;
  const poll = async (object_id: string): Promise<void> => {
    const cursor = await followChanges(
      token,
      { ...place, ...(stored !== undefined && { cursor: stored }) },
      (changes, next) => {
        seen.push(...changes.filter((change) => change.object_id === object_id).map(({ type }) => type));
        stored = next;
        return Promise.resolve();
      },
    );
    expect(cursor).toBe(stored);
  };
  const until = async (object_id: string, count: number): Promise<void> => {
    for (const deadline = Date.now() + 5_000; seen.length < count && Date.now() < deadline;) await poll(object_id);
  };
  const send = async (method: string, path: string, body?: object): Promise<{ id: string }> => {
    const response = await fetch(`${site.base_url}/api/v1/courses${path}`, {
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
  };
  const { id } = await send('POST', '', { name: 'Followed', slug: `followed-${Date.now().toString(36)}` });
  await until(id, 1);
  expect(seen).toEqual(['course.created']);
  await send('PATCH', `/${id}`, { name: 'Followed closely' });
  await send('DELETE', `/${id}`);
  await until(id, 3);
  expect(seen).toEqual(['course.created', 'course.updated', 'course.deleted']);
  const other = await tokenFor('operator', 'openid school:read');
  await expect(followChanges(other, place, () => Promise.resolve())).rejects.toThrow('insufficient_scope');
});
