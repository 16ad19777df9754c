import sanitizeHtml from 'sanitize-html';
import { z } from 'zod';
import { multiline, withoutControls } from '../validation/fields.js';

const TEXT = 'a b br code em i s strong sub sup u';
const BLOCKS = 'blockquote figcaption figure h2 h3 h4 hr img li ol p pre ul';
const TABLES = 'table tbody td th thead tr';

/**
 * Levels of elements in HTML that is cleaned, also of elements that the cleaner removes. Each tag costs the parser a
 * move of all open elements, so without a limit its time would grow with the square of the text.
 */
export const MAX_HTML_DEPTH = 100;

/**
 * Returns what sets attributes, and drops an address with `<`, which no URL has (RFC 3986). The cleaner would cut
 * comments out of it one by one, and copy it each time.
 */
function linkBy(member: 'href' | 'src', set: sanitizeHtml.Attributes): sanitizeHtml.Transformer {
  return (tagName, attribs) => {
    const dropped = attribs[member]?.includes('<') === true ? { [member]: '' } : {};
    return { tagName, attribs: { ...attribs, ...dropped, ...set } };
  };
}

/**
 * The HTML that a description may contain. The service cleans it before it stores it, so readers need not clean it
 * again. The response has the cleaned text too, so the caller sees the removals.
 */
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...TEXT.split(' '), ...BLOCKS.split(' '), ...TABLES.split(' ')],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    th: ['scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: { a: linkBy('href', { rel: 'noopener noreferrer nofollow' }), img: linkBy('src', {}) },
};

class TooDeep extends Error {}

/**
 * Removes scripts, styles, event handlers, unknown elements and links without TLS from HTML. Returns undefined if its
 * elements nest deeper than `MAX_HTML_DEPTH`. All HTML passes here.
 */
function cleaned(source: string): string | undefined {
  let depth = 0;
  const onOpenTag = (): void => {
    depth += 1;
    if (depth > MAX_HTML_DEPTH) throw new TooDeep();
  };
  const onCloseTag = (): void => {
    depth -= 1;
  };
  try {
    // Entities can stand for characters that the source must not have.
    return withoutControls(sanitizeHtml(source, { ...OPTIONS, onOpenTag, onCloseTag })).trim();
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

const CLEANED =
  'HTML. Cleaned when stored: scripts, styles, event handlers and unknown elements are dropped. ' +
  `Its elements nest at most ${MAX_HTML_DEPTH} levels deep`;

/** Schema of HTML with at most `max` characters. Its output is cleaned. */
export function html(max: number) {
  return multiline(max)
    .transform((source, { addIssue }) => {
      const clean = cleaned(source);
      if (clean !== undefined) return clean;
      const message = `Elements may nest at most ${MAX_HTML_DEPTH} levels deep`;
      addIssue({ code: 'custom', message, params: { code: 'too_deep' } });
      return z.NEVER;
    })
    .meta({ description: CLEANED });
}

/** The clean beginning of HTML, with all elements closed. */
interface Beginning {
  readonly html: string;
  /** The source goes on. */
  readonly cut: boolean;
}

/** Cleans at most `characters` of the source. While they nest too deep, it takes half of them. */
export function cleanBeginning(source: string, characters: number): Beginning {
  for (let length = Math.min(source.length, characters); ; length = Math.floor(length / 2)) {
    const clean = cleaned(source.slice(0, length).toWellFormed());
    if (clean !== undefined) return { html: clean, cut: length < source.length };
  }
}

/** Returns at most `characters` of the source of a cleaned description, and closes open elements. */
export function cutDescription(html: string, characters: number): string {
  return html.length <= characters ? html : cleanBeginning(html, characters).html;
}

/** Characters of a description in the result of a tool. At three bytes each they fit into its 60 KB. */
const SHOWN = 10_000;

/** Schema of the member that marks a truncated description. */
export const truncated = z.boolean().describe('The description is truncated');

/** Returns a description for the result of a tool, truncated to 10,000 characters. */
export function shownDescription(html: string | null): {
  description_html: string | null;
  description_truncated: boolean;
} {
  return {
    description_html: html === null ? null : cutDescription(html, SHOWN),
    description_truncated: html !== null && html.length > SHOWN,
  };
}
