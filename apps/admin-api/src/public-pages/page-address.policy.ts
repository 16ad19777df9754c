import { INDEX } from '#src/page-bundles/page-bundle.policy.js';
import { PAGES_PATH } from '#src/pages/page-path.policy.js';

/** Files of a page that a path can name. */
export interface PageAddress {
  readonly slug: string;
  /** Path of the file below the page. Undefined: the path names a folder alone. */
  readonly file: string | undefined;
  /** Path of the index of the folder, if the path lacks the slash of a folder. */
  readonly folder: string | undefined;
}

/** Returns what a path of a request names, with its slash at the end. Undefined: no page has such a path. */
export function addressOf(path: string): PageAddress | undefined {
  if (!path.startsWith(PAGES_PATH)) return undefined;
  const [slug = '', ...rest] = segmentsOf(path.slice(PAGES_PATH.length)) ?? [];
  // PostgreSQL has no text with this character.
  if (slug === '' || [slug, ...rest].some((segment) => segment.includes('\0'))) return undefined;
  if (rest.length === 0) return { slug, file: undefined, folder: INDEX };
  const file = rest.join('/').normalize('NFC');
  if (rest.at(-1) === '') return { slug, file: `${file}${INDEX}`, folder: undefined };
  return { slug, file, folder: `${file}/${INDEX}` };
}

function segmentsOf(path: string): readonly string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** True for each target of a request that a page can answer, however its path is encoded. */
export function isBelowPages(target: string): boolean {
  const path = target.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
  const plain = path.replaceAll(/%([0-9a-f]{2})/gi, (_escape, code: string) =>
    String.fromCodePoint(parseInt(code, 16)),
  );
  return `${plain}/`.startsWith(PAGES_PATH);
}
