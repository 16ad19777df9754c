import { bearer, operator, rawHttp, site, type Fields } from '../security/oauth/attack.js';
import { fetched, METADATA, RESOURCE, RESOURCES } from './documents.js';
import { prove, type Proof } from './prove.js';
import { authorizationError, walker } from './walker.js';

const read = (statement: string): unknown => JSON.parse(statement);
const host = { host: new URL(site.base_url).host };
/** A path of each resource. The origin is no surface itself, so another one stands for it. */
const ADDRESS: Readonly<Record<string, string>> = { '': '/api/v1/courses', '/api/v1': '/api/v1/courses' };

function proofsOf(form: (typeof RESOURCES)[number]): Record<string, Proof> {
  const proofs: Record<string, Proof> = {
    async resource(statement) {
      expect(read(statement)).toBe(form === '/mcp' ? `${site.base_url}/mcp` : site.base_url);
      // The value is accepted as the resource of a request.
      expect(await authorizationError(walker(), { resource: String(read(statement)) })).toBeUndefined();
    },
    async resource_name(statement) {
      expect(read(statement)).toBe(site.name);
    },
    async authorization_servers(statement) {
      expect(read(statement)).toEqual([(await fetched(METADATA)).body['issuer']]);
    },
    async scopes_supported(statement) {
      // A client that requests all of them gets all (RFC 9728 §2 allows unlisted ones).
      const scope = (read(statement) as string[]).join(' ');
      expect(
        await authorizationError(walker(), { client_id: operator.client_id, scope, resource: site.base_url }),
      ).toBe(undefined);
      const { scope: given } = await walker().tokens({ client_id: operator.client_id, scope }, 'owner');
      expect(given.split(' ').toSorted()).toEqual((read(statement) as string[]).toSorted());
    },
    async bearer_methods_supported(statement) {
      expect(read(statement)).toEqual(['header']);
      const client: Fields =
        form === '/member/graphql' ? {} : { client_id: operator.client_id, scope: 'openid courses:read' };
      const { access_token } = await walker().tokens(client, 'owner');
      const path = ADDRESS[form] ?? form;
      const json = form === '/mcp' ? { jsonrpc: '2.0', id: 1, method: 'tools/list' } : { query: '{ viewer { id } }' };
      const sent = form in ADDRESS ? {} : { json };
      const accept = { ...host, accept: 'application/json, text/event-stream' };
      const byHeader = await rawHttp(site.base_url, path, { ...sent, headers: { ...accept, ...bearer(access_token) } });
      expect(byHeader.status).toBe(200);
      const inQuery = await rawHttp(site.base_url, `${path}?access_token=${access_token}`, {
        ...sent,
        headers: accept,
      });
      // At /mcp the caller is anonymous and sees the public tools. Other surfaces refuse anonymous callers.
      const anonymous = await rawHttp(site.base_url, path, { ...sent, headers: accept });
      expect([inQuery.status, inQuery.status === 200 ? inQuery.text : '']).toEqual(
        form === '/mcp' ? [200, anonymous.text] : [401, ''],
      );
    },
    async resource_documentation(statement) {
      expect(read(statement)).toBe((await fetched(METADATA)).body['service_documentation']);
    },
  };
  return Object.fromEntries(Object.entries(proofs).map(([member, proof]) => [`${form} ${member}`.trim(), proof]));
}

prove('protected-resources', Object.assign({}, ...RESOURCES.map(proofsOf)) as Record<string, Proof>);

it('serves no metadata for a path that is no resource', async () => {
  const { status, headers } = await fetched(`${RESOURCE}/nothing`);
  expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
});
