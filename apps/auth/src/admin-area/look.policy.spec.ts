import { lookFields, lookOf, lookPatch } from './look.policy.js';
import type { LookField } from './look.policy.js';

const SITE = 'http://school.example';
const of = (values: Partial<Record<LookField, string>>) => lookOf(lookFields(values), SITE);

describe('the look of a form', () => {
  it('takes the default of the platform for empty fields', () => {
    const theme = { background_color: null, surface_color: null, text_color: null, accent_color: null };
    expect(of({})).toEqual({
      theme: { ...theme, font_family: null, corners: null },
      logo_url: null,
      favicon_url: null,
    });
  });

  it('takes colors in either case, and a file of the site by its path', () => {
    const look = of({
      accent_color: ' #0B5C86 ',
      logo_url: `${SITE}/files/public/1`,
      favicon_url: 'https://a.example/i',
    });
    expect(look).toMatchObject({
      theme: { accent_color: '#0b5c86' },
      logo_url: '/files/public/1',
      favicon_url: 'https://a.example/i',
    });
  });

  it.each([
    ['a color by its name', { text_color: 'red' }, 'text_color', 'invalid_value'],
    ['markup in a color', { accent_color: '#fff;}</style>' }, 'accent_color', 'invalid_value'],
    ['another font', { font_family: 'Comic Sans' }, 'font_family', 'invalid_value'],
    ['a picture without https', { logo_url: 'http://a.example/logo.png' }, 'logo_url', 'invalid_value'],
    ['a script as a picture', { favicon_url: 'javascript:alert(1)' }, 'favicon_url', 'invalid_value'],
    ['an accent of 4.47:1', { accent_color: '#777777' }, 'accent_color', 'low_contrast'],
    ['a dark background of dark text', { surface_color: '#101014' }, 'surface_color', 'low_contrast'],
  ])('refuses %s', (_what, values, field, code) => {
    const look = of(values);
    expect('faults' in look && look.faults).toContainEqual({ field, code });
  });

  it('accepts an accent of 4.54:1', () => {
    expect(of({ accent_color: '#767676' })).toHaveProperty('theme');
  });
});

describe('the patch of changed fields', () => {
  it('contains only these, and null for an empty one', () => {
    expect(lookPatch({ accent_color: '#0b5c86', corners: '', logo_url: '' })).toEqual({
      theme: { accent_color: '#0b5c86', corners: null },
      logo_url: null,
    });
    expect(lookPatch({ favicon_url: 'https://a.example/i' })).toEqual({ favicon_url: 'https://a.example/i' });
  });
});
