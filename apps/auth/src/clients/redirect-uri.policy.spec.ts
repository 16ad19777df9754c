import { isLoopbackRedirect, isNative, isRedirectUri } from './redirect-uri.policy.js';

describe('A loopback redirect URI (RFC 8252 §7.3)', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:1/cb',
    'http://[::1]:65535/cb?x=1',
    'http://127.0.0.1:80/a/b',
    'http://127.0.0.1:1',
  ])('recognizes %s as a loopback redirect URI', (uri) => {
    expect(isLoopbackRedirect(uri, { localhost: false })).toBe(true);
  });

  it('treats localhost as loopback only where a site allows it', () => {
    expect(isLoopbackRedirect('http://localhost:1/cb', { localhost: true })).toBe(true);
    expect(isLoopbackRedirect('http://localhost:1/cb', { localhost: false })).toBe(false);
  });

  it.each([
    'https://127.0.0.1/cb',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://127.1/cb#x',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'http://user@127.0.0.1/',
    'http://127.0.0.1@evil.example/',
    'http://127.0.0.1\\@evil.example/',
    'http://127.0.0.1/\r\nx',
    'http://[::2]/',
    'http://[::ffff:127.0.0.1]/',
    'http://127.0.0.1.:1/cb',
    'http://2130706433:1/cb',
    'http://0x7f.0.0.1/cb',
    'http://127.1/cb',
    'http://[0:0:0:0:0:0:0:1]/cb',
    'HTTP://127.0.0.1/cb',
    'http://LOCALHOST/cb',
    'http://localhost./cb',
    'http://127.0.0.1:08400/cb',
    'http://127.0.0.1/a/../cb',
    'http:/127.0.0.1/cb',
    '//127.0.0.1/',
    '127.0.0.1',
    '',
  ])('rejects %p as a loopback redirect URI', (uri) => {
    expect(isLoopbackRedirect(uri, { localhost: true })).toBe(false);
  });
});

describe('A redirect URI of a client that an admin creates', () => {
  it.each(['https://app.example/cb', 'http://localhost:3000/cb', 'com.example.app:/cb'])(
    'accepts the redirect URI %s',
    (uri) => {
      expect(isRedirectUri(uri)).toBe(true);
    },
  );

  it.each([
    'http://app.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'myapp:/cb',
    'https://user:secret@app.example/',
    'https://app.example/#x',
    'not a uri',
  ])('rejects the redirect URI %p', (uri) => {
    expect(isRedirectUri(uri)).toBe(false);
  });

  it.each([
    ['cursor://anysphere.cursor-mcp/oauth/callback', true],
    ['javascript://x/%0aalert(1)', false],
    ['http://app.example/cb', false],
  ])('accepts a scheme without a dot only in our own list: %s, %p', (uri, allowed) => {
    expect(isRedirectUri(uri)).toBe(false);
    expect(isRedirectUri(uri, { anyScheme: true })).toBe(allowed);
  });

  it('makes a client native when its redirect URI stays on the device', () => {
    expect(isNative(['https://app.example/cb'])).toBe(false);
    expect(isNative(['https://app.example/cb', 'http://127.0.0.1/cb'])).toBe(true);
  });
});
