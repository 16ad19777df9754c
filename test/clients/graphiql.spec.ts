import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { mintToken } from '@lyceum/testing';
import { buildClientSchema, getIntrospectionQuery, lexicographicSortSchema, buildSchema, printSchema } from 'graphql';
import type { ExecutionResult, IntrospectionQuery } from 'graphql';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';

const site = systemStack().sites[0]!;
const url = `${site.base_url}/member/graphql`;

/** The introspection that GraphiQL sends at start, by its own fetcher. */
function open(headers: Record<string, string>): Promise<ExecutionResult<IntrospectionQuery>> {
  const fetcher = createGraphiQLFetcher({ url, headers, fetch });
  const query = getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true, specifiedByUrl: true });
  const response = fetcher({ query, operationName: 'IntrospectionQuery' });
  return Promise.resolve(response) as Promise<ExecutionResult<IntrospectionQuery>>;
}

describe('GraphiQL', () => {
  it('loads the published schema with a token', async () => {
    const scope = 'openid account:read';
    const member = { ...personOf(site, 'student'), ...clientOf(site, 'member', 'public') };
    const { access_token } = await mintToken({ site, ...member, scope });
    const { data, errors } = await open({ authorization: `Bearer ${access_token}` });
    expect(errors).toBeUndefined();
    const published = await (await fetch(`${site.base_url}/member/schema.graphql`)).text();
    const sorted = (schema: ReturnType<typeof buildSchema>): string => printSchema(lexicographicSortSchema(schema));
    expect(sorted(buildClientSchema(data!))).toBe(sorted(buildSchema(published)));
  });

  it('loads no schema without a token', async () => {
    const { data, errors } = await open({});
    expect(data ?? null).toBeNull();
    expect(errors?.map(({ extensions }) => extensions?.['code'])).toEqual(['INVALID_TOKEN']);
  });
});
