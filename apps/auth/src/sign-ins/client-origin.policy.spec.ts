import { destinationOf, isUnverified } from './client-origin.policy.js';

it.each([
  ['https://app.example/callback', 'app.example', true],
  ['https://app.example:8443/callback', 'app.example:8443', true],
  ['http://127.0.0.1:7777/callback', 'an app on this computer', false],
  ['http://[::1]:7777/callback', 'an app on this computer', false],
  ['http://localhost/callback', 'an app on this computer', false],
  ['https://localhost.evil.example/callback', 'localhost.evil.example', true],
  ['com.example.app:/callback', 'an app on this device (com.example.app)', false],
  ['no uri', 'no uri', false],
])('describes %s as "%s"', (uri, text, isWeb) => {
  expect(destinationOf(uri)).toEqual({ text, isWeb });
});

it.each([
  ['a client of the site', 'site', null, 'http://127.0.0.1/', false],
  ['a platform on the web', 'platform', null, 'https://app.example/', false],
  ['a platform on the device', 'platform', null, 'http://127.0.0.1/', true],
  ['a client that registered itself', 'loopback', null, 'http://127.0.0.1/', true],
  ['an unreviewed client', 'document', 'unreviewed', 'https://app.example/', true],
  ['a blocked client', 'document', 'blocked', 'https://app.example/', true],
  ['an approved client', 'document', 'approved', 'https://app.example/', false],
] as const)('decides whether %s is unverified', (_what, source, review, uri, expected) => {
  expect(isUnverified({ source, review }, uri)).toBe(expected);
});
