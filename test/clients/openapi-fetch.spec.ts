import { mintToken } from '@lyceum/testing';
import openapiTS, { astToString } from 'openapi-typescript';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { CompiledClient } from './compiled-client.js';

const site = systemStack().sites[0]!;

/** Compiled against the types of the description that the site serves, and then run. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.virtual';

export type Course = components['schemas']['Course'];

export function schoolOf(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  return {
    async create(name: string, slug: string): Promise<Course> {
      const { data, error } = await client.POST('/api/v1/courses', {
        body: { name, slug },
        params: { header: { 'Idempotency-Key': slug } },
      });
      if (error) throw new Error(error.code);
      return data;
    },
    async slugs(): Promise<string[]> {
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { data, error } = await client.GET('/api/v1/courses', {
          params: { query: { limit: 2, sort: '-created_at', ...(cursor === undefined ? {} : { cursor }) } },
        });
        if (error) throw new Error(error.code);
        found.push(...data.data.map(({ slug }) => slug));
        cursor = data.page.next_cursor;
      }
      return found;
    },
  };
}
`;

interface School {
  create(name: string, slug: string): Promise<{ slug: string; state: string }>;
  slugs(): Promise<string[]>;
}

describe('openapi-fetch, with types that openapi-typescript makes of /openapi.json', () => {
  let types: string;
  beforeAll(async () => {
    types = astToString(await openapiTS(new URL(`${site.base_url}/openapi.json`)));
  }, 20_000);

  it('compiles, and finds out what the API does not have', () => {
    const wrong = CLIENT.replace("sort: '-created_at'", "sort: 'price'");
    const faults = new CompiledClient({ api: types, client: CLIENT, wrong }).faults();
    expect(faults).toEqual({ wrong: expect.stringContaining('"price"') });
  }, 20_000);

  it('creates, pages through all, and reads a problem by its code', async () => {
    const scope = 'openid courses:read courses:write';
    const client = clientOf(site, 'operator', 'public');
    const { access_token } = await mintToken({ site, ...personOf(site, 'owner'), ...client, scope });
    const { schoolOf } = new CompiledClient({ api: types, client: CLIENT }).run<{
      schoolOf: (baseUrl: string, token: string) => School;
    }>('client');
    const school = schoolOf(site.base_url, access_token);
    const slug = `typed-${Date.now().toString(36)}`;
    expect(await school.create('A typed course', slug)).toMatchObject({ slug, state: 'draft' });
    const slugs = await school.slugs();
    expect(slugs[0]).toBe(slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    await expect(school.create('', `${slug}-empty`)).rejects.toThrow('validation_failed');
    await expect(schoolOf(site.base_url, 'nonsense').slugs()).rejects.toThrow('invalid_token');
  }, 20_000);
});
