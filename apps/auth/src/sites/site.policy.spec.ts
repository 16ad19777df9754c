import { canonicalOrigin } from './site.policy.js';

describe('The origin of a site', () => {
  it.each([
    ['https://School.Example', 'https://school.example', 'school.example'],
    ['https://school.example:443/', 'https://school.example', 'school.example'],
    ['http://localhost:8080', 'http://localhost:8080', 'localhost:8080'],
  ])('normalizes %s to the origin %s', (text, base_url, host) => {
    expect(canonicalOrigin(text)).toEqual({ base_url, host });
  });

  it.each([
    'https://school.example/path',
    'https://u:p@school.example',
    'ftp://school.example',
    'school.example',
    'https://x?y',
  ])('rejects %s as an origin', (text) => {
    expect(canonicalOrigin(text)).toBeUndefined();
  });
});
