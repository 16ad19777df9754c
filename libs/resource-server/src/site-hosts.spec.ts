import { hostsOf, normalizeHost } from './site-hosts.js';

describe('a host', () => {
  it.each([
    ['School.Example', 'school.example'],
    ['school.example.', 'school.example'],
    ['school.example.:8080', 'school.example:8080'],
    ['school.example:8080', 'school.example:8080'],
    ['[::1]:8080', '[::1]:8080'],
    ['[::1]', '[::1]'],
    ['', ''],
  ])('%p is looked for as %p', (host, normalized) => {
    expect(normalizeHost(host)).toBe(normalized);
  });

  it('of https is found with and without 443, not with 80', () => {
    expect(hostsOf({ host: 'school.example', base_url: 'https://school.example' })).toEqual([
      'school.example',
      'school.example:443',
    ]);
  });

  it('of http is found with and without 80', () => {
    expect(hostsOf({ host: 'localhost', base_url: 'http://localhost' })).toEqual(['localhost', 'localhost:80']);
  });

  it('with a port of its own is found with that port only', () => {
    expect(hostsOf({ host: 'localhost:8080', base_url: 'http://localhost:8080' })).toEqual(['localhost:8080']);
  });
});
