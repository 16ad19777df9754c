import type { FastifyRequest } from 'fastify';
import { AuthSettings } from '#src/auth.environment.js';
import type { AuthConfiguration } from '#src/auth.environment.js';
import type { SiteRecord } from '#src/sites/site.js';
import { CsrfTokens } from './csrf-tokens.js';

const [OLD, YOUNG] = ['an-old-cookie-key', 'a-young-cookie-key'];
const site = { base_url: 'https://school.example' } as SiteRecord;
const request = { headers: { origin: site.base_url } } as FastifyRequest;
const tokens = (...keys: string[]) => new CsrfTokens(new AuthSettings({ COOKIE_KEYS: keys } as AuthConfiguration));

it.each([
  ['before', [OLD], [OLD, YOUNG]],
  ['during', [OLD, YOUNG], [YOUNG, OLD]],
  ['after', [YOUNG, OLD], [YOUNG]],
])('accepts the forms of both configurations %s a switch of COOKIE_KEYS', (_when, one, other) => {
  const [first, second] = [tokens(...one), tokens(...other)];
  expect(first.verify(site, request, 'profile', second.issue('profile'))).toBe(true);
  expect(second.verify(site, request, 'profile', first.issue('profile'))).toBe(true);
});

it('refuses a form of a removed key, and one of another purpose', () => {
  expect(tokens(YOUNG).verify(site, request, 'profile', tokens(OLD).issue('profile'))).toBe(false);
  expect(tokens(YOUNG, OLD).verify(site, request, 'profile', tokens(OLD).issue('password'))).toBe(false);
});
