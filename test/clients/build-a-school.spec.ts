import { randomUUID } from 'node:crypto';
import openapiTS, { astToString } from 'openapi-typescript';
import { systemStack } from '../stack/system-stack.js';
import { CompiledClient } from './compiled-client.js';
import { send } from './http.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;

interface Exports {
  buildSchool(token: string, slug: string): Promise<string>;
}
interface Curriculum {
  readonly sections: readonly { readonly title: string; readonly lectures: readonly { readonly state: string }[] }[];
}

describe('the recipe that builds a school', () => {
  const recipe = new Recipe('build-a-school', site.base_url);
  let api: string;
  beforeAll(async () => {
    const [, url = ''] = /openapi-typescript (\S+) -o api\.ts/.exec(recipe.block('sh')) ?? [];
    api = astToString(await openapiTS(new URL(url)));
  });

  it('compiles, and rejects a state that lectures do not have', () => {
    const client = recipe.block('ts');
    const wrong = client.replace("'published'", "'archived'");
    expect(new CompiledClient({ api, client, wrong }).faults()).toEqual({ wrong: expect.stringContaining('archived') });
  });

  it('publishes a course with its lectures, once for two runs', async () => {
    const { buildSchool } = recipe.run<Exports>({ api });
    const token = await tokenFor('operator', 'openid courses:read courses:write curriculum:read curriculum:write');
    const slug = `built-${randomUUID()}`;
    const id = await buildSchool(token, slug);
    expect(await buildSchool(token, slug)).toBe(id);
    const course = `${site.base_url}/api/v1/courses/${id}`;
    expect((await send(course, { token })).body).toMatchObject({ slug, state: 'published' });
    const { body } = await send<Curriculum>(`${course}/curriculum`, { token });
    expect(body.sections.map(({ title, lectures }) => [title, lectures.map(({ state }) => state)])).toEqual([
      ['Light', ['published']],
      ['Water', ['published']],
    ]);
    await expect(buildSchool('nonsense', slug)).rejects.toThrow('invalid_token');
  });
});
