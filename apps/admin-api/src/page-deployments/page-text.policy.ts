import { cleanBeginning } from '@lyceum/rest';

/** Characters of a body that are read: more than a tool shows, and a few milliseconds of the cleaner. */
export const READ_CHARACTERS = 50_000;

/** The text of a page for assistants. */
export interface PageText {
  /** HTML without scripts and styles. */
  readonly content_html: string;
  /** The page goes on. */
  readonly content_cut: boolean;
}

/** Returns the beginning of the body of index.html. */
export function textOf(index: string): PageText {
  // PostgreSQL has no text with this character.
  const body = index.slice(Math.max(0, index.search(/<body\b/i))).replaceAll('\0', '');
  const { html: content_html, cut: content_cut } = cleanBeginning(body, READ_CHARACTERS);
  return { content_html, content_cut };
}
