import type { Page } from '#src/paging/page.js';
import { pageBody } from '#src/paging/page.js';
import { project } from '#src/paging/list-query.js';
import { Answer } from './answer.js';

type Headers = Readonly<Record<string, string>>;

export function objectAnswer(body: object, headers: Headers, fields?: readonly string[]): Answer {
  return new Answer(200, project(body, fields), headers);
}

/** @param nextUrl the URL of the next page, for `Link` (RFC 8288). */
export function listAnswer<Row>(
  page: Page<Row>,
  query: { readonly limit: number; readonly fields?: readonly string[] | undefined },
  view: (row: Row) => object,
  nextUrl: (cursor: string) => string,
): Answer {
  const body = pageBody(page, query.limit, (row) => project(view(row), query.fields));
  return new Answer(200, body, page.next === null ? {} : { link: `<${nextUrl(page.next)}>; rel="next"` });
}
