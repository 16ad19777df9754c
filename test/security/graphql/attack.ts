import { mintToken } from '@lyceum/testing';
import { clientOf, personOf, systemStack, type SystemPerson, type SystemSite } from '../../stack/system-stack.js';
import { rawHttp, type ApiResponse, type Sent } from '../raw-http.js';

const stack = systemStack();
export const [site, otherSite] = [stack.sites[0]!, stack.sites[1]!];

const MEMBER_SCOPE = 'openid account:read account:write';

/** Each suite mints its own tokens, so suites do not share cost limits. */
export async function memberToken(at = site, person = personOf(at, 'student'), scope = MEMBER_SCOPE): Promise<string> {
  return (await mintToken({ site: at, ...person, ...clientOf(at, 'member', 'public'), scope })).access_token;
}

/** A member of the site who is not the one of `memberToken`. */
export function somebodyElse(at: SystemSite = site): SystemPerson {
  const [, other] = at.people.filter(({ roles }) => roles[0] === 'student');
  if (other === undefined) throw new Error(`${at.base_url} has one student only`);
  return other;
}

export interface GraphQLResponse extends ApiResponse {
  readonly data: unknown;
  /** `extensions.code` of each error. */
  readonly codes: readonly unknown[];
}

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
}

export async function sendRaw(sent: Sent, at: SystemSite = site, path = '/member/graphql'): Promise<GraphQLResponse> {
  const response = await rawHttp(at.base_url, path, sent);
  const { data, errors = [] } = response.body as Body;
  return { ...response, data, codes: errors.map(({ extensions }) => extensions?.code) };
}

/** Sends a GraphQL request, anonymously without a token. */
export function execute(
  query: string,
  token?: string,
  variables?: object,
  at: SystemSite = site,
): Promise<GraphQLResponse> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return sendRaw({ headers, json: { query, ...(variables === undefined ? {} : { variables }) } }, at);
}
