import { hostsOf, normalizeHost } from './site-hosts.js';

describe('hosts of a site', () => {
  it.each([
    ['School.Example', 'school.example'],
    ['school.example.', 'school.example'],
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
