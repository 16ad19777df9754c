import { SECRET, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('HTTP Basic authentication of a client', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  // oauth4webapi, openid-client and Auth.js print the parameters of the challenge and never the body.
  it.each(['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect'])(
    'refuses Basic authentication at %s with the reason in the challenge and the body',
    async (path) => {
      const authorization = `Basic ${Buffer.from(`first-member-server:${SECRET}`).toString('base64')}`;
      const { status, headers, body } = await new Flow(auth).post(path, { token: 'x' }, { authorization });
      const description = 'Send client_id and client_secret in the form (client_secret_post), not in a header';
      expect([status, body]).toEqual([401, { error: 'invalid_client', error_description: description }]);
      expect(headers.get('www-authenticate')).toBe(
        `Basic realm="${auth.site.base_url}", error="invalid_client", error_description="${description}"`,
      );
    },
  );
});
