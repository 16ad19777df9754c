import { appearanceEvents } from './appearance.js';
import { NO_THEME } from './theme.js';

describe('an appearance in an event', () => {
  const appearance = {
    site_id: '019ab3c0-0000-7000-8000-000000000000',
    theme: NO_THEME,
    logo_url: null,
    favicon_url: null,
    navigation: [{ label: 'Courses', url: '/courses' }],
    footer: [],
  };

  it.each([
    ['nothing set', {}, true],
    ['a color', { theme: { ...NO_THEME, accent_color: '#7a1f1f' } }, true],
    ['a color that is style', { theme: { ...NO_THEME, accent_color: 'red;} body{display:none' } }, false],
    ['a font that is style', { theme: { ...NO_THEME, font_family: 'serif;}' } }, false],
    ['a logo', { logo_url: 'https://cdn.example/logo.svg' }, true],
    ['a logo without TLS', { logo_url: 'http://cdn.example/logo.svg' }, false],
    ['a logo that is a script', { logo_url: 'javascript:alert(1)' }, false],
    ['a picture that is data', { favicon_url: 'data:image/svg+xml,<svg/>' }, false],
  ])('checks %s: %s', (_what, part, accepted) => {
    expect(appearanceEvents.data.safeParse({ ...appearance, ...part }).success).toBe(accepted);
  });
});
