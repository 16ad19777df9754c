import { signInBefore, signInTarget } from './sign-in-target.policy.js';

it.each([
  '/account',
  '/account/passkeys',
  '/account/change-password',
  '/admin',
  '/admin/audit',
  '/admin/applications/AbC_d-1',
  '/admin/audit?person=a%40b.example&event=sign_in.failed',
])('continues at %s', (next) => {
  expect(signInTarget(next)).toBe(next);
});

it.each([
  undefined,
  null,
  ['/admin'],
  '',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/account//evil.example',
  '/account/../oauth/authorize',
  '/account/%2e%2e/oauth',
  '/account\r\nset-cookie: a=b',
  '/account@evil.example',
  '/accounting',
  '/account?next=https://evil.example',
  '/oauth/authorize',
  '/account/sign-in',
  '/account/sign-out',
  '/account/sign-out/everywhere',
  '/account/password',
  '/account/invitation?token=x',
  `/account/${'x'.repeat(1024)}`,
])('continues at the account in place of %j', (next) => {
  expect(signInTarget(next)).toBe('/account');
});

it('names the page in the address of the sign-in, except for the account itself', () => {
  expect(signInBefore('/account')).toBe('/account/sign-in');
  expect(signInBefore('/account/passkeys')).toBe('/account/sign-in?next=%2Faccount%2Fpasskeys');
  expect(signInBefore('https://evil.example/')).toBe('/account/sign-in');
});
