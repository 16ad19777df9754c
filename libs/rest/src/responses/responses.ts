import type { Page } from '../paging/page.js';
import { pageBody } from '../paging/page.js';
import { project } from '../paging/list-query.js';
import { expandedTag } from './etag.policy.js';
import { ApiResponse } from './response.js';

type Headers = Readonly<Record<string, string>>;

/** The members of an object that a request asks for: `fields` selects its own, `expand` adds other objects. */
interface Selection {
  readonly fields?: readonly string[] | undefined;
  readonly expand?: readonly string[] | undefined;
}

/** Returns a 200 with one object, or with the selected members of it. */
export function objectResponse(body: object, headers: Headers, selection: Selection = {}): ApiResponse {
  const { etag } = headers;
  const isPlain = etag === undefined || selection.expand === undefined;
  const tagged = isPlain ? headers : { ...headers, etag: expandedTag(etag, body) };
  return new ApiResponse(200, project(body, selectedOf(selection)), tagged);
}

/** Returns a 200 with a page of objects. @param nextUrl returns the URL of the next page, for `Link` (RFC 8288) */
export function listResponse<Row>(
  page: Page<Row>,
  query: Selection & { readonly limit: number },
  view: (row: Row) => object,
  nextUrl: (cursor: string) => string,
): ApiResponse {
  const selected = selectedOf(query);
  const body = pageBody(page, query.limit, (row) => project(view(row), selected));
  return new ApiResponse(200, body, page.next === null ? {} : { link: `<${nextUrl(page.next)}>; rel="next"` });
}

/** Members that were expanded are shown beside those that `fields` selects. */
function selectedOf({ fields, expand = [] }: Selection): readonly string[] | undefined {
  return fields && [...fields, ...expand];
}
