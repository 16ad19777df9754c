import { bearerChallenge } from './challenge.js';

const site = { base_url: 'https://school.example' };

describe('bearerChallenge', () => {
  it('names the error, the scopes and the metadata document of the resource', () => {
    expect(
      bearerChallenge(site, {
        error: 'insufficient_scope',
        description: 'Not enough',
        scope: 'account:read account:write',
        metadataPath: '',
      }),
    ).toBe(
      'Bearer error="insufficient_scope", error_description="Not enough", scope="account:read account:write", ' +
        'resource_metadata="https://school.example/.well-known/oauth-protected-resource"',
    );
  });

  it('appends the resource’s path to the well-known path', () => {
    expect(bearerChallenge(site, { metadataPath: '/mcp' })).toBe(
      'Bearer resource_metadata="https://school.example/.well-known/oauth-protected-resource/mcp"',
    );
  });

  it('omits an empty scope', () => {
    expect(bearerChallenge(site, { error: 'invalid_token', scope: '', metadataPath: '' })).not.toContain('scope=');
  });

  it('escapes the description', () => {
    const header = bearerChallenge(site, { description: 'a"b\\c\r\nSet-Cookie: x', metadataPath: '' });
    expect(header).toContain(`error_description="a'b'c??Set-Cookie: x"`);
  });
});
