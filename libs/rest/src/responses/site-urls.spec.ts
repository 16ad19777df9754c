import { urlsOf } from './site-urls.js';

it('keeps the parameters of the request in the URL of the next page, and replaces its cursor', () => {
  const urls = urlsOf({ site: null, url: '/api/v1/students?q=why?&cursor=a&limit=1' });
  expect(urls.nextPage('b+c')).toBe('/api/v1/students?q=why%3F&cursor=b%2Bc&limit=1');
});

it('adds the cursor to a request without parameters', () => {
  expect(urlsOf({ site: null, url: '/api/v1/students' }).nextPage('a')).toBe('/api/v1/students?cursor=a');
});
