import { isAnother, readDocument } from './document.policy.js';

const url = new URL('https://app.example/client.json');
const DOCUMENT = {
  client_id: url.href,
  client_name: 'An App',
  redirect_uris: ['https://app.example/callback'],
};
const read = (change: object = {}): unknown => readDocument(url, JSON.stringify({ ...DOCUMENT, ...change }));

describe('A client metadata document', () => {
  it.each([
    [
      'ChatGPT, without an authentication method',
      'https://chatgpt.com/oauth/client.json',
      {
        client_name: 'ChatGPT',
        redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    [
      'Claude, with an unknown grant type and localhost',
      'https://claude.ai/oauth/claude-code-client-metadata',
      {
        client_name: 'Claude Code',
        client_uri: 'https://claude.ai',
        redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:example:unheard-of'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ],
    [
      'VS Code, with a port of its own',
      'https://vscode.dev/oauth/client-metadata.json',
      {
        client_name: 'Visual Studio Code',
        redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code', 'none'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
    ],
  ])('accepts the document of %s', (_name, client_id, document) => {
    const read = readDocument(new URL(client_id), JSON.stringify({ client_id, ...document }));
    expect(read).toMatchObject({ name: document.client_name, redirect_uris: document.redirect_uris });
  });

  it('names a document client without a name after its host', () => {
    expect(read({ client_name: undefined })).toMatchObject({ name: 'app.example' });
  });

  it.each([
    ['that names another address', { client_id: 'https://app.example/other.json' }, 'client_id'],
    ['whose address differs in one byte', { client_id: 'https://app.example/client.json?' }, 'client_id'],
    ['without an address', { client_id: undefined }, 'client_id'],
    ['with an address that is no text', { client_id: [url.href] }, 'client_id'],
    ['with a shared secret', { token_endpoint_auth_method: 'client_secret_post' }, 'token_endpoint_auth_method'],
    [
      'with a secret in the header',
      { token_endpoint_auth_method: 'client_secret_basic' },
      'token_endpoint_auth_method',
    ],
    ['with a key', { token_endpoint_auth_method: 'private_key_jwt' }, 'token_endpoint_auth_method'],
    ['that holds a secret', { client_secret: 'x' }, 'client_secret'],
    ['that holds the end of a secret', { client_secret_expires_at: 0 }, 'client_secret_expires_at'],
    ['without redirect URIs', { redirect_uris: undefined }, 'redirect_uris'],
    ['with an empty list of redirect URIs', { redirect_uris: [] }, 'redirect_uris'],
    ['with too many redirect URIs', { redirect_uris: Array(11).fill('http://127.0.0.1/') }, 'redirect_uris'],
    ['with only unknown grant types', { grant_types: ['client_credentials'] }, 'grant_types'],
    ['with only unknown response types', { response_types: ['token'] }, 'response_types'],
    ['with a name that would break the page', { client_name: 'a\u202Eb' }, 'client_name'],
    ['with a name that is too long', { client_name: 'x'.repeat(121) }, 'client_name'],
  ])('rejects a client document %s', (_name, change, member) => {
    expect(read(change)).toEqual({ error: expect.stringContaining(member) });
  });

  it.each([
    'https://evil.example/callback',
    'https://sub.app.example/callback',
    'https://app.example.evil.example/callback',
    'https://app.example@evil.example/callback',
    'https://user@app.example/callback',
    'https://app.example:8443/callback',
    'http://app.example/callback',
    'https://app.example/callback#x',
    'https://app.example\\@evil.example/',
    'http://127.0.0.2/callback',
    'http://127.0.0.1.evil.example/',
    'https://127.0.0.1/callback',
    'com.example.app:/callback',
    'javascript:alert(1)',
    '/callback',
  ])('rejects the redirect URI %s in a client document', (uri) => {
    const mixed = { redirect_uris: ['https://app.example/callback', uri] };
    expect(read(mixed)).toEqual({ error: expect.stringContaining('redirect_uris') });
  });

  it.each(['', '{', '[]', 'null', '"text"', '1', '<html>'])('rejects %p as a client document', (text) => {
    expect(readDocument(url, text)).toHaveProperty('error');
  });

  it('needs a new review for another name or redirect URI, but not for another order', () => {
    const one = { name: 'An App', redirect_uris: ['http://127.0.0.1/a', 'http://127.0.0.1/b'] };
    expect(isAnother(one, { ...one, redirect_uris: one.redirect_uris.toReversed() })).toBe(false);
    expect(isAnother(one, { ...one, name: 'An  App' })).toBe(true);
    expect(isAnother(one, { ...one, redirect_uris: ['http://127.0.0.1/a'] })).toBe(true);
  });

  it.each([
    ['https://app.example/logo.png', 'https://app.example/logo.png'],
    ['https://cdn.example.com/logo?v=2', 'https://cdn.example.com/logo?v=2'],
    ['http://app.example/logo.png', null],
    ['https://10.0.0.1/logo.png', null],
    ['https://app.example/logo.png#x', null],
    ['data:image/png;base64,AAAA', null],
    [['https://app.example/logo.png'], null],
    [undefined, null],
  ])('reads the logo %p of a document as %p', (logo_uri, expected) => {
    expect(read({ logo_uri })).toMatchObject({ logo_uri: expected });
  });

  it('keeps logout URIs of its own origin and of loopback in a document, and drops others', () => {
    const post_logout_redirect_uris = ['https://app.example/bye', 'http://127.0.0.1/bye', 'https://evil.example/bye'];
    expect(read({ post_logout_redirect_uris })).toMatchObject({
      redirect_uris: DOCUMENT.redirect_uris,
      post_logout_redirect_uris: post_logout_redirect_uris.slice(0, 2),
    });
  });
});
