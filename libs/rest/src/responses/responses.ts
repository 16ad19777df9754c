import type { Page } from '../paging/page.js';
import { pageBody } from '../paging/page.js';
import { project } from '../paging/list-query.js';
import { ApiResponse } from './response.js';

type Headers = Readonly<Record<string, string>>;

/** Returns a 200 with one object, or with the selected members of it. */
export function objectResponse(body: object, headers: Headers, fields?: readonly string[]): ApiResponse {
  return new ApiResponse(200, project(body, fields), headers);
}

/** Returns a 200 with a page of objects. @param nextUrl returns the URL of the next page, for `Link` (RFC 8288) */
export function listResponse<Row>(
  page: Page<Row>,
  query: { readonly limit: number; readonly fields?: readonly string[] | undefined },
  view: (row: Row) => object,
  nextUrl: (cursor: string) => string,
): ApiResponse {
  const body = pageBody(page, query.limit, (row) => project(view(row), query.fields));
  return new ApiResponse(200, body, page.next === null ? {} : { link: `<${nextUrl(page.next)}>; rel="next"` });
}
