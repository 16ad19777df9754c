import { hasOneHost, hostsOf, isLoopbackHost, normalizeHost } from './host.js';

it.each([
  ['one', ['Host', 'a.example', 'accept', 'host'], true],
  ['none', ['accept', 'host'], true],
  ['two', ['host', 'a.example', 'HOST', 'a.example'], false],
])('counts the Host headers of a request: %s', (_count, headers, isOne) => {
  expect(hasOneHost(headers)).toBe(isOne);
});

it.each([
  ['http://localhost:1/a', true],
  ['http://127.0.0.1/', true],
  ['http://2130706433/', true],
  ['http://[0:0::1]:80/', true],
  ['http://127.0.0.2/', false],
  ['http://localhost.example/', false],
  ['http://0.0.0.0/', false],
])('tells hosts of the own machine from others: %s', (url, isOwn) => {
  expect(isLoopbackHost(new URL(url).hostname)).toBe(isOwn);
});

describe('hosts of a site', () => {
  it.each([
    ['School.Example', 'school.example'],
    ['school.example.', 'school.example'],
    [' school.example ', 'school.example'],
    ['school.example.:8080', 'school.example:8080'],
    ['school.example:8080', 'school.example:8080'],
    ['[::1]:8080', '[::1]:8080'],
    ['[::1]', '[::1]'],
    ['', ''],
  ])('normalizes %p to %p', (host, normalized) => {
    expect(normalizeHost(host)).toBe(normalized);
  });

  it('matches https with and without port 443, not 80', () => {
    expect(hostsOf({ host: 'school.example', base_url: 'https://school.example' })).toEqual([
      'school.example',
      'school.example:443',
    ]);
  });

  it('matches http with and without port 80', () => {
    expect(hostsOf({ host: 'localhost', base_url: 'http://localhost' })).toEqual(['localhost', 'localhost:80']);
  });

  it('matches a custom port only with that port', () => {
    expect(hostsOf({ host: 'localhost:8080', base_url: 'http://localhost:8080' })).toEqual(['localhost:8080']);
  });
});
