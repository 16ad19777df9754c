import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { mintToken } from '@lyceum/testing';
import { parse } from 'graphql';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { CompiledClient } from './compiled-client.js';
import { Recipe } from './recipe.js';

const site = systemStack().sites[0]!;

const OPERATIONS = /* GraphQL */ `
  query MyCourses($first: Int!, $after: String) {
    viewer {
      id
      name
      enrolledCourses(first: $first, after: $after) {
        nodes {
          id
          slug
          expireDate
          lastWatchedLecture {
            lectureId
            positionSeconds
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
  query MyPurchases {
    viewer {
      digitalProducts(first: 5) {
        nodes {
          id
          name
          downloadLimit
          files {
            id
            downloadUrl
          }
        }
      }
      consultingServices(last: 5) {
        nodes {
          id
          lecturer {
            id
            name
          }
          sessionsRemaining
          bookings(first: 1) {
            nodes {
              id
              startsAt
              state
              joinUrl
            }
            pageInfo {
              hasNextPage
            }
          }
        }
      }
      eventRegistrations {
        totalCount
        edges {
          node {
            id
            hostingType
            state
          }
        }
      }
    }
  }
  mutation MarkRead($id: ID!) {
    markNotificationRead(input: { notificationId: $id }) {
      notification {
        id
        isRead
      }
      userErrors {
        code
        field
      }
    }
  }
`;

/** Compiled against the types that graphql-codegen generates from the schema of the site, and then run. */
const CLIENT = `
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { MarkReadDocument, MyCoursesDocument, MyPurchasesDocument } from './api';

export function memberOf(baseUrl: string, token: string) {
  const link = new HttpLink({ uri: \`\${baseUrl}/member/graphql\`, headers: { authorization: \`Bearer \${token}\` } });
  const client = new ApolloClient({ link, cache: new InMemoryCache(), defaultOptions: { query: { fetchPolicy: 'network-only' } } });
  return {
    async slugs(first: number): Promise<string[]> {
      const found: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const { data } = await client.query({ query: MyCoursesDocument, variables: { first, after: after ?? null } });
        const courses = data?.viewer?.enrolledCourses;
        found.push(...(courses?.nodes ?? []).map(({ slug }) => slug));
        after = courses?.pageInfo.hasNextPage ? (courses.pageInfo.endCursor ?? null) : null;
      }
      return found;
    },
    async purchases() {
      const { data } = await client.query({ query: MyPurchasesDocument });
      const [product] = data?.viewer?.digitalProducts?.nodes ?? [];
      const [service] = data?.viewer?.consultingServices?.nodes ?? [];
      const [registration] = data?.viewer?.eventRegistrations?.edges ?? [];
      const [booking] = service?.bookings?.nodes ?? [];
      return {
        downloadUrl: product?.files[0]?.downloadUrl,
        remaining: service?.sessionsRemaining,
        booking: booking?.state,
        registration: registration?.node.state,
      };
    },
    async markRead(id: string): Promise<string | undefined> {
      const { data } = await client.mutate({ mutation: MarkReadDocument, variables: { id } });
      return data?.markNotificationRead.userErrors[0]?.code;
    },
  };
}

export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (CombinedGraphQLErrors.is(error)) return error.errors[0]?.extensions?.['code'];
    throw error;
  }
}
`;

interface Client {
  memberOf(
    baseUrl: string,
    token: string,
  ): {
    slugs(first: number): Promise<string[]>;
    purchases(): Promise<Record<'downloadUrl' | 'remaining' | 'booking' | 'registration', unknown>>;
    markRead(id: string): Promise<string>;
  };
  failureOf(work: Promise<unknown>): Promise<unknown>;
}

/** Read once, because the server closes idle connections while the compiler runs. */
let schema: string | undefined;

async function generate(operations: string): Promise<string> {
  schema ??= await (await fetch(`${site.base_url}/member/schema.graphql`)).text();
  return codegen({
    schema: parse(schema),
    documents: [{ document: parse(operations) }],
    filename: 'api.ts',
    config: { useTypeImports: true, scalars: { DateTime: 'string', URL: 'string' } },
    plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
    pluginMap: { typescriptOperations, typedDocumentNode },
  });
}

describe('Apollo Client, with the typed documents that graphql-codegen makes of /member/schema.graphql', () => {
  let types: string;
  const tokenFor = async (scope: string): Promise<string> => {
    const client = clientOf(site, 'member', 'public');
    return (await mintToken({ site, ...personOf(site, 'student'), ...client, scope })).access_token;
  };

  beforeAll(async () => {
    types = await generate(OPERATIONS);
  });

  it('compiles and runs the code of its recipe', async () => {
    const recipe = new Recipe('apollo-client', site.base_url);
    const api = await generate(recipe.block('graphql'));
    expect(recipe.client({ api }).faults()).toEqual({});
    const { myCourses } = recipe.run<{ myCourses(token: string, first: number): Promise<string[]> }>({ api });
    const token = await tokenFor('openid account:read');
    const slugs = await myCourses(token, 1);
    expect(slugs).toContain('knots-and-splices');
    expect(await myCourses(token, 50)).toEqual(slugs);
  });

  it('compiles, and rejects fields that the API does not have', async () => {
    const wrong = CLIENT.replace('({ slug }) => slug', '({ orderNumber }) => orderNumber');
    const faults = new CompiledClient({ api: types, client: CLIENT, wrong }).faults();
    expect(faults).toEqual({ wrong: expect.stringContaining('orderNumber') });
    await expect(generate(OPERATIONS.replace('slug', 'orderNumber'))).rejects.toThrow('orderNumber');
  });

  it('pages through a member’s courses, and reads errors', async () => {
    const { memberOf, failureOf } = new CompiledClient({ api: types, client: CLIENT }).run<Client>('client');
    const reader = memberOf(site.base_url, await tokenFor('openid account:read'));
    const slugs = await reader.slugs(1);
    expect(slugs).toEqual(await reader.slugs(50));
    expect(slugs.length).toBeGreaterThan(0);
    const nobodys = '018f0000-0000-7000-8000-000000000000';
    expect(await failureOf(reader.markRead(nobodys))).toBe('INSUFFICIENT_SCOPE');
    const writer = memberOf(site.base_url, await tokenFor('openid account:read account:write'));
    expect(await writer.markRead(nobodys)).toBe('NOT_FOUND');
    expect(await failureOf(reader.slugs(1000))).toBe('FIRST_OUT_OF_RANGE');
    expect(await failureOf(memberOf(site.base_url, 'nonsense').slugs(1))).toBe('INVALID_TOKEN');
  });

  it('reads bought products, and downloads a file by its link without a token', async () => {
    const { memberOf } = new CompiledClient({ api: types, client: CLIENT }).run<Client>('client');
    const purchases = await memberOf(site.base_url, await tokenFor('openid account:read')).purchases();
    expect(purchases).toEqual({
      downloadUrl: expect.stringContaining(`${site.base_url}/member/downloads?token=`),
      remaining: 2,
      booking: 'SCHEDULED',
      registration: 'REGISTERED',
    });
    const file = await fetch(String(purchases.downloadUrl));
    expect([file.status, file.redirected]).toEqual([200, true]);
    expect(await file.text()).toMatch(/^%PDF-/);
  });
});
