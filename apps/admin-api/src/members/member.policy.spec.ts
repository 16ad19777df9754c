import { partsOf } from './member.policy.js';

it('divides members by their owner, and names those of the profile as identity does', () => {
  const own = { external_id: 'crm-1', metadata: { a: 'b' }, custom_fields: {} };
  const values = { name: 'Mei', phone_number: null, avatar_url: 'https://a.example/a.png', locale: 'en', ...own };
  expect(partsOf(values)).toEqual({
    profile: { name: 'Mei', phone: null, picture: 'https://a.example/a.png', locale: 'en' },
    own,
  });
});

it('leaves members without a value out', () => {
  expect(partsOf({ name: undefined, external_id: null })).toEqual({ profile: {}, own: { external_id: null } });
});
