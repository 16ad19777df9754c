import { ApiError } from '@lyceum/errors';
import type { Page } from './page.js';

/** Converts the arguments of a tool to a list query of the REST API, with the default order. */
export function toolListQuery<Input extends { readonly first: number; readonly after?: string | undefined }>(
  input: Input,
  sort: string,
) {
  const { first, after, ...filters } = input;
  return { ...filters, limit: first, cursor: after, sort, include_total: false } as const;
}

/** Returns a page in the form of a tool result. @throws `invalid_cursor` with the pointer `/after` */
export async function toolItems<Row, Item>(
  reading: Promise<Page<Row>>,
  view: (row: Row) => Item,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const { rows, next } = await reading.catch((error: unknown) => {
    throw inTermsOfTools(error);
  });
  return { items: rows.map(view), next_cursor: next };
}

/** Names the argument `after`, which is `cursor` in a query of the REST API. */
function inTermsOfTools(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'invalid_cursor') return error;
  return new ApiError('invalid_cursor', 'The cursor is not from this tool with these filters', {
    errors: [{ pointer: '/after', code: 'invalid_cursor', detail: 'Is not next_cursor of such a list' }],
    hint: 'Start again without `after`',
    cause: error,
  });
}
