import type { Page } from './page.js';

/**
 * Returns the page of a list below a parent. A page with rows proves that the parent exists.
 *
 * @param parent reads the parent of an empty page, and throws `not_found`
 */
export async function listBelow<Row>(
  listed: Promise<Page<Row>>,
  parent: () => Promise<unknown> | undefined,
): Promise<Page<Row>> {
  const page = await listed;
  if (page.rows.length === 0) await parent();
  return page;
}
