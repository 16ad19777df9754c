import { freePort } from '@lyceum/local';
import { bearer, member, operator, otherSite, rawHttp, site, type ApiResponse } from '../security/oauth/attack.js';
import { startSecondGateway } from '../stack/second-gateway.js';
import { RESOURCE } from './documents.js';
import { prove } from './prove.js';
import { walker } from './walker.js';

const SURFACES = {
  '/api/v1': { path: '/api/v1/courses', metadata: RESOURCE },
  '/member/graphql': { path: '/member/graphql', json: { query: '{ viewer { id } }' }, metadata: RESOURCE },
  '/mcp': { path: '/mcp', json: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, metadata: `${RESOURCE}/mcp` },
} as const;
type Surface = keyof typeof SURFACES;

function request(surface: Surface, token: string, at: string = site.base_url): Promise<ApiResponse> {
  const { path, ...more } = SURFACES[surface];
  const headers = {
    host: new URL(site.base_url).host,
    accept: 'application/json, text/event-stream',
    ...bearer(token),
  };
  return rawHttp(at, path, { ...('json' in more ? { json: more.json } : {}), headers });
}

prove('use', {
  async 'auth.md 401 `invalid_token`'() {
    const actor = walker();
    const { access_token: ended } = await actor.tokens();
    await actor.send('/api/oauth/revoke', { form: { token: ended, client_id: member.client_id } });
    const { access_token: foreign } = await walker(otherSite).tokens();
    for (const surface of Object.keys(SURFACES) as Surface[]) {
      for (const token of ['malformed', foreign]) {
        const { status, headers } = await request(surface, token);
        const challenge = headers['www-authenticate'] ?? '';
        expect([surface, status]).toEqual([surface, 401]);
        expect(challenge).toContain('error="invalid_token"');
        expect(challenge).toContain(`resource_metadata="${site.base_url}${SURFACES[surface].metadata}"`);
      }
    }
    expect((await actor.userInfo(ended)).status).toBe(401);
  },
  async 'auth.md 403 `insufficient_scope`'() {
    const { access_token } = await walker().tokens(
      { client_id: operator.client_id, scope: 'openid orders:read' },
      'owner',
    );
    const { status, headers } = await request('/api/v1', access_token);
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(headers['www-authenticate']).toContain('scope="courses:read"');
    // A client that follows the challenge gets access.
    const wider = { client_id: operator.client_id, scope: 'openid orders:read courses:read' };
    expect((await request('/api/v1', (await walker().tokens(wider, 'owner')).access_token)).status).toBe(200);
  },
  async 'auth.md 503 `temporarily_unavailable`'() {
    const { access_token } = await walker().tokens();
    const closed = await freePort();
    // A gateway without a server at its introspection endpoint.
    const gateway = await startSecondGateway({
      INTROSPECTION_URL: `http://127.0.0.1:${closed}/api/oauth/introspect`,
    });
    try {
      const { status, headers, body } = await request('/mcp', access_token, gateway.url);
      expect([status, Number(headers['retry-after']) > 0, headers['www-authenticate']]).toEqual([503, true, undefined]);
      expect(JSON.stringify(body)).toContain('temporarily_unavailable');
    } finally {
      await gateway.stop();
    }
    // The token still works afterwards.
    expect((await request('/mcp', access_token)).status).toBe(200);
  },
});
