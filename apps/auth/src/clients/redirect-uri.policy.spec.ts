import { say } from '@lyceum/messages';
import {
  isLoopbackRedirect,
  isNative,
  redirectUriFault,
  refusedRedirectUris,
  refusedUris,
  usableRedirectUris,
} from './redirect-uri.policy.js';

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
      expect(redirectUriFault(uri)).toBeUndefined();
    },
  );

  it.each([
    ['http://app.example/cb', 'http', 'https'],
    ['javascript:alert(1)', 'dangerous', 'a scheme of your app'],
    ['data:text/html,x', 'dangerous', 'a scheme of your app'],
    ['file:///etc/passwd', 'dangerous', 'a scheme of your app'],
    ['myapp:/cb', 'scheme', 'com.example.app:/callback'],
    ['myapp://callback', 'scheme', 'com.example.app:/callback'],
    ['https://user:secret@app.example/', 'credentials', 'password'],
    ['https://app.example/#x', 'fragment', '#'],
    ['not a uri', 'form', 'whole address'],
    ['', 'form', 'whole address'],
  ] as const)('rejects the redirect URI %p and says what to change', (uri, fault, remedy) => {
    expect(redirectUriFault(uri)).toBe(fault);
    expect(say(`redirect_uri.${fault}`, { uri })).toContain(remedy);
  });

  it('names all faults at once, and cuts a long URI', () => {
    const refused = refusedUris(['myapp:/cb', 'https://app.example/cb', `http://${'x'.repeat(500)}/`]);
    expect(refused).toEqual([
      { uri: 'myapp:/cb', fault: 'scheme' },
      { uri: `http://${'x'.repeat(93)}…`, fault: 'http' },
    ]);
  });

  it.each([
    ['cursor://anysphere.cursor-mcp/oauth/callback', true],
    ['javascript://x/%0aalert(1)', false],
    ['http://app.example/cb', false],
  ])('accepts a scheme without a dot only in our own list: %s, %p', (uri, allowed) => {
    expect(redirectUriFault(uri)).toBeDefined();
    expect(redirectUriFault(uri, { anyScheme: true }) === undefined).toBe(allowed);
  });

  it.each([
    ['https://localhost:3000/cb', 'http://localhost:3000/cb'],
    ['https://127.0.0.1/cb', 'com.example.app:/cb'],
    ['https://[::1]/cb', 'http://127.0.0.1/cb'],
    ['HTTPS://LOCALHOST/cb', 'http://127.0.0.1/cb'],
  ])('rejects %s beside %s, and accepts each alone', (uri, other) => {
    const [list, usable] = [
      ['https://app.example/cb', uri, other],
      ['https://app.example/cb', other],
    ];
    expect(refusedRedirectUris(list)).toEqual([{ uri, fault: 'https_loopback' }]);
    expect([refusedRedirectUris([uri]), refusedRedirectUris(usable), refusedUris(list)]).toEqual([[], [], []]);
    expect([usableRedirectUris(list), usableRedirectUris([uri])]).toEqual([usable, [uri]]);
    expect(say('redirect_uri.https_loopback', { uri })).toContain('use http, such as');
  });

  it('names the first fault alone of a URI beside which https on loopback would be refused', () => {
    const refused = refusedRedirectUris(['not a uri', 'https://localhost/cb']);
    expect(refused).toEqual([{ uri: 'not a uri', fault: 'form' }]);
  });

  it('makes a client native when its redirect URI stays on the device', () => {
    expect(isNative(['https://app.example/cb', 'HTTPS://APP.example/cb'])).toBe(false);
    expect(isNative(['https://app.example/cb', 'http://127.0.0.1/cb'])).toBe(true);
  });
});
