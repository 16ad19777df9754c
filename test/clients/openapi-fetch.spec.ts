import openapiTS, { astToString } from 'openapi-typescript';
import { systemStack } from '../stack/system-stack.js';
import { CompiledClient } from './compiled-client.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;

interface Exports {
  schoolApi(token: string): {
    create(name: string, slug: string): Promise<{ slug: string; state: string }>;
    slugs(): Promise<string[]>;
  };
}

describe('openapi-fetch, with types that openapi-typescript generates from /openapi.json', () => {
  const recipe = new Recipe('openapi-fetch', site.base_url);
  let api: string;
  beforeAll(async () => {
    const [, url = ''] = /openapi-typescript (\S+) -o api\.ts/.exec(recipe.block('sh')) ?? [];
    api = astToString(await openapiTS(new URL(url)));
  });

  it('compiles, and rejects members that the API does not have', () => {
    const client = recipe.block('ts');
    const wrong = client.replace("'-created_at'", "'price'");
    const faults = new CompiledClient({ api, client, wrong }).faults();
    expect(faults).toEqual({ wrong: expect.stringContaining('"price"') });
  });

  it('creates, pages through all, and reads a problem by its code', async () => {
    const { schoolApi } = recipe.run<Exports>({ api });
    const school = schoolApi(await tokenFor('operator', 'openid courses:read courses:write'));
    const slug = `typed-${Date.now().toString(36)}`;
    expect(await school.create('A typed course', slug)).toMatchObject({ slug, state: 'draft' });
    const slugs = await school.slugs();
    expect(slugs).toContain(slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    await expect(school.create('', `${slug}-empty`)).rejects.toThrow('validation_failed');
    await expect(schoolApi('nonsense').slugs()).rejects.toThrow('invalid_token');
  });
});
