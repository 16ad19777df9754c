import { nameOf, profileForm } from './profile.policy.js';

const FORM = { name: 'Mei Lin', picture: '', locale: '', phone: '', timezone: '' };

describe('The default name of a member', () => {
  it.each([
    [' Mei ', 'Mei'],
    ['', 'mei'],
    [undefined, 'mei'],
  ])('derives from %p the default name %p', (given, name) => {
    expect(nameOf(given, 'mei@school.example')).toBe(name);
  });
});

describe('The profile form', () => {
  it('reads empty profile fields as none', () => {
    const none = { picture: null, locale: null, phone: null, timezone: null };
    expect(profileForm.parse(FORM)).toEqual({ name: 'Mei Lin', ...none });
  });

  it.each([
    ['name', 'x'.repeat(200)],
    ['picture', 'https://images.example/mei.png'],
    ['locale', 'zh-Hant-TW'],
    ['phone', '+886912345678'],
    ['timezone', 'Asia/Taipei'],
  ])('accepts the profile field %s = %p', (field, value) => {
    expect(profileForm.parse({ ...FORM, [field]: value })).toMatchObject({ [field]: value });
  });

  it('spells a time zone as the database of time zones does', () => {
    expect(profileForm.parse({ ...FORM, timezone: 'asia/taipei' })).toMatchObject({ timezone: 'Asia/Taipei' });
  });

  it.each([
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['name', 'Mei\nLin'],
    ['name', 'Mei\u202eniL'],
    ['name', 'Mei\u200bLin'],
    ['picture', 'http://images.example/mei.png'],
    ['picture', 'javascript:alert(1)'],
    ['picture', `https://images.example/${'x'.repeat(2048)}`],
    ['locale', 'english'],
    ['phone', '0912345678'],
    ['timezone', '+08:00'],
    ['timezone', 'Nowhere/At-All'],
  ])('refuses the profile field %s = %p with a message for the person', (field, value) => {
    const { error } = profileForm.safeParse({ ...FORM, [field]: value });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
    expect(JSON.stringify(error?.issues)).toMatch(/Enter|Choose|at most|too long|no line breaks/);
  });
});
