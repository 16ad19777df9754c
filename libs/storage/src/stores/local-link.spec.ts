import { randomBytes } from 'node:crypto';
import { LocalLinks } from './local-link.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const period = { from: new Date(NOW), until: new Date(NOW + 1_000) };
const upload = {
  key: 'uploads/a/b',
  bytes: 3,
  content_type: 'text/csv',
  sha256: 'ab',
  base_url: 'https://a.example',
  ...period,
};
const links = new LocalLinks([randomBytes(32)]);

function parsed(url: string) {
  const { origin, pathname, searchParams } = new URL(url);
  return { base_url: origin, key: pathname.replace('/files/', ''), signature: searchParams.get('signature') ?? '' };
}

it('opens its own links, until they expire', () => {
  const link = parsed(links.put(upload));
  expect(links.open('PUT', link, NOW + 999)).toMatchObject({ key: 'uploads/a/b', bytes: 3, sha256: 'ab' });
  expect(links.open('PUT', link, NOW + 1_000)).toBeUndefined();
});

it('opens no link for another method, key, origin or secret', () => {
  const link = parsed(links.put(upload));
  expect(links.open('GET', link, NOW)).toBeUndefined();
  expect(links.open('PUT', { ...link, key: 'uploads/a/c' }, NOW)).toBeUndefined();
  expect(links.open('PUT', { ...link, base_url: 'https://b.example' }, NOW)).toBeUndefined();
  expect(new LocalLinks([randomBytes(32)]).open('PUT', link, NOW)).toBeUndefined();
});

it('opens no tampered signature', () => {
  const link = parsed(links.get({ ...upload, filename: 'a.csv' }));
  expect(links.open('GET', link, NOW)).toMatchObject({ filename: 'a.csv' });
  const bytes = Buffer.from(link.signature, 'base64url');
  for (const at of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const tampered = Buffer.from(bytes);
    tampered.writeUInt8(tampered.readUInt8(at) ^ 1, at);
    expect(links.open('GET', { ...link, signature: tampered.toString('base64url') }, NOW)).toBeUndefined();
  }
  expect(links.open('GET', { ...link, signature: '' }, NOW)).toBeUndefined();
});
