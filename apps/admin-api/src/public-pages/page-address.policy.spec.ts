import { addressOf, isBelowPages } from './page-address.policy.js';

it.each([
  ['/pages/about', 'about', undefined, 'index.html'],
  ['/pages/about/', 'about', 'index.html', undefined],
  ['/pages/about/app.js', 'about', 'app.js', 'app.js/index.html'],
  ['/pages/about/docs', 'about', 'docs', 'docs/index.html'],
  ['/pages/about/docs/', 'about', 'docs/index.html', undefined],
  ['/pages/about/%E5%9B%BE/a%20b.css', 'about', '图/a b.css', '图/a b.css/index.html'],
  ['/pages/about/e%CC%81.txt', 'about', '\u00e9.txt', '\u00e9.txt/index.html'],
  ['/pages/about//', 'about', '/index.html', undefined],
  ['/pages/../account', '..', 'account', 'account/index.html'],
])('reads %s', (path, slug, file, folder) => {
  expect(addressOf(path)).toEqual({ slug, file, folder });
});

it.each([
  '/pages',
  '/pages/',
  '/pages//a',
  '/pagesx/about',
  '/account',
  'http://a/pages/about',
  '/pages/about/%00',
  '/pages/%E5/',
  '/pages/%zz',
])('finds no page at %s', (path) => expect(addressOf(path)).toBeUndefined());

it.each([
  '/pages',
  '/pages/',
  '/pages?a',
  '/pages/about#x',
  '/%70ages/about',
  '/pages%2fabout',
  'http://a:1/pages/x',
  '/pages/%zz',
])('counts %s among the paths of pages', (target) => expect(isBelowPages(target)).toBe(true));

it.each(['/', '/page', '/pagesx', '/account/pages/', '/api/v1/pages', '/?/pages/', '*'])(
  'does not count %s among the paths of pages',
  (target) => expect(isBelowPages(target)).toBe(false),
);
