import sanitizeHtml from 'sanitize-html';
import { z } from 'zod';
import { multiline } from '../validation/fields.js';

const TEXT = 'a b br code em i s strong sub sup u';
const BLOCKS = 'blockquote figcaption figure h2 h3 h4 hr img li ol p pre ul';
const TABLES = 'table tbody td th thead tr';

/**
 * What a description may be made of. It is cleaned when it is stored, so that no reader, and no reader of an old copy,
 * depends on cleaning it again; what was refused is gone from the answer too, where the caller sees it.
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
  nestingLimit: 50,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
};

export function cleanDescription(html: string): string {
  return sanitizeHtml(html, OPTIONS).trim();
}

const CLEANED = 'HTML. Cleaned when stored: scripts, styles, event handlers and unknown elements are dropped';

/** HTML of at most `max` characters, as it is stored. */
export function html(max: number) {
  return multiline(max).transform(cleanDescription).meta({ description: CLEANED });
}

/** The beginning of a description that was cleaned, with every element that it opens closed. */
export function cutDescription(html: string, characters: number): string {
  return html.length <= characters ? html : cleanDescription(html.slice(0, characters).toWellFormed());
}

/** Characters of a description that a tool shows: at three bytes each they leave room in the 60 KB of a result. */
const SHOWN = 10_000;

/** Says so beside a description in the result of a tool. */
export const truncated = z.boolean().describe('The description is truncated');

/** A description as the result of a tool carries it. */
export function shownDescription(html: string | null): {
  description_html: string | null;
  description_truncated: boolean;
} {
  return {
    description_html: html === null ? null : cutDescription(html, SHOWN),
    description_truncated: html !== null && html.length > SHOWN,
  };
}
