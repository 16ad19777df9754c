import type { Page } from '@lyceum/testing';

export const CHINESE = { 'accept-language': 'zh-TW,zh;q=0.9,en;q=0.1' };
export const ENGLISH = { 'accept-language': 'en-US,en;q=0.9' };
/** Bytes of a page. */
const BUDGET = 60 * 1024;

/** Names that are data, or the same in every language. */
const NAMES = [
  'First School',
  'Second School',
  'Public member',
  'Public operator',
  'The student',
  'First School Helper',
];

export const languageOf = ({ body }: Page): string | undefined => /<html lang="([^"]+)" dir="ltr">/.exec(body)?.[1];

/**
 * The words of a page, with those for screen readers. `<bdi>` has names of people and applications, which are left out,
 * as are English details of errors that are marked as English.
 */
export function wordsOf({ body }: Page): string {
  const attributes = [...body.matchAll(/\s(?:aria-label|data-known|data-failed|placeholder)="([^"]*)"/g)];
  const visible = body
    .replace(/<(style|script|bdi|code|pre)[^>]*>[^]*?<\/\1>/g, ' ')
    .replace(/<span lang="en">[^]*?<\/span>/g, ' ')
    .replace(/<[^>]*>/g, ' | ')
    .replaceAll('&#39;', "'");
  const text = [visible, ...attributes.map(([, value]) => value)].join(' | ');
  return NAMES.reduce((words, name) => words.replaceAll(name, ' | '), text);
}

/** Three words of the Latin alphabet in a row are English. */
const englishIn = (page: Page): string | undefined =>
  /[A-Za-z']+[ ,]+[A-Za-z']+[ ,]+[A-Za-z']+/.exec(wordsOf(page))?.[0];

/** Fails for a page that is not wholly in Chinese. */
export function expectChinese(page: Page): void {
  expect([page.url.pathname, languageOf(page), englishIn(page)]).toEqual([page.url.pathname, 'zh-TW', undefined]);
  expect(wordsOf(page)).toMatch(/\p{Script=Han}{2}/u);
  expect(Buffer.byteLength(page.body)).toBeLessThan(BUDGET);
}
