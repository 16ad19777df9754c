import { clientIdUrl, isPublicName, looksLikeUrl, permitsDocuments, permitsHost } from './client-id-url.policy.js';

describe('The URL of a client metadata document', () => {
  it.each([
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    'https://vscode.dev/oauth/client-metadata.json',
    'https://app.example/client.json?version=2',
    'https://xn--bcher-kva.example/c',
    `https://app.example/${'x'.repeat(1004)}`,
  ])('accepts %s as the URL of a client document', (text) => {
    expect(clientIdUrl(text)?.href).toBe(text);
  });

  it.each([
    ['plain http', 'http://app.example/c'],
    ['another scheme', 'ftp://app.example/c'],
    ['no path', 'https://app.example'],
    ['the root', 'https://app.example/'],
    ['a user', 'https://user@app.example/c'],
    ['a password', 'https://user:secret@app.example/c'],
    ['an empty user', 'https://@app.example/c'],
    ['a fragment', 'https://app.example/c#x'],
    ['an empty fragment', 'https://app.example/c#'],
    ['dot segments', 'https://app.example/a/../c'],
    ['a dot segment', 'https://app.example/./c'],
    ['encoded dot segments', 'https://app.example/%2e%2e/c'],
    ['capital letters in the host', 'https://App.example/c'],
    ['capital letters in the scheme', 'HTTPS://app.example/c'],
    ['a port', 'https://app.example:8443/c'],
    ['the default port', 'https://app.example:443/c'],
    ['a dot at the end of the host', 'https://app.example./c'],
    ['a name without a dot', 'https://localhost/c'],
    ['an inner service', 'https://kubernetes/c'],
    ['an IPv4 address', 'https://93.184.216.34/c'],
    ['a loopback address', 'https://127.0.0.1/c'],
    ['a decimal address', 'https://2130706433/c'],
    ['a hexadecimal address', 'https://0x7f000001/c'],
    ['an octal address', 'https://0177.0.0.1/c'],
    ['a short address', 'https://127.1/c'],
    ['the address of all networks', 'https://0.0.0.0/c'],
    ['circled digits', 'https://①②⑦.0.0.1/c'],
    ['an IPv6 address', 'https://[2606:4700::1111]/c'],
    ['a mapped address', 'https://[::ffff:127.0.0.1]/c'],
    ['a name in Unicode', 'https://bücher.example/c'],
    ['full-width digits', 'https://１２７.0.0.1/c'],
    ['an ideographic dot', 'https://app。example/c'],
    ['a backslash', 'https://app.example\\@evil.example/c'],
    ['white space', 'https://app.example/ c'],
    ['a line break', 'https://app.example/c\n'],
    ['a missing slash', 'https:/app.example/c'],
    ['too many characters', `https://app.example/${'x'.repeat(1005)}`],
  ])('rejects a document URL with %s', (_name, text) => {
    expect(clientIdUrl(text)).toBeUndefined();
  });

  it('recognizes a document client_id by its scheme', () => {
    expect(['https://x.example/c', 'HTTP://x', 'https:'].map(looksLikeUrl)).toEqual([true, true, true]);
    expect(['first-member', '', 'com.example:/c', 'xhttps://a'].map(looksLikeUrl)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('The allowed document hosts of a site', () => {
  it('matches allowed hosts by their full name, or all of them', () => {
    const allowed = { cimd_hosts: ['app.example'], cimd_open: false };
    expect(permitsHost(allowed, 'app.example')).toBe(true);
    expect(permitsHost(allowed, 'sub.app.example')).toBe(false);
    expect(permitsHost(allowed, 'evil-app.example')).toBe(false);
    expect(permitsHost({ cimd_hosts: [], cimd_open: true }, 'any.example')).toBe(true);
  });

  it('announces document clients only where a host is allowed', () => {
    expect(permitsDocuments({ cimd_hosts: [], cimd_open: false })).toBe(false);
    expect(permitsDocuments({ cimd_hosts: ['a.example'], cimd_open: false })).toBe(true);
    expect(permitsDocuments({ cimd_hosts: [], cimd_open: true })).toBe(true);
  });

  it.each(['claude.ai', 'a_b.example', `${'a'.repeat(63)}.example`])('accepts %s as an allowed host', (name) => {
    expect(isPublicName(name)).toBe(true);
  });

  it.each([
    'localhost',
    'a..b',
    '.a.b',
    'a.b.',
    '-a.b',
    '*.a.b',
    '10.0.0.1',
    '1.2',
    `${'a'.repeat(64)}.b`,
    'a.b/c',
    '',
  ])('rejects %p as an allowed host', (name) => {
    expect(isPublicName(name)).toBe(false);
  });
});
