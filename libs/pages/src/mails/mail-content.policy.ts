import { replaceInvisible } from '@lyceum/platform';
import type { MailBlock, MailLink, MailParts } from './mail-parts.js';

/** UTF-16 units. Each takes 6 bytes of HTML at most, so that a mail with all of them has less than 100 kB. */
export const MAIL_LIMITS = {
  /** A heading, a name, a label, a greeting, a note and a reason. Longer ones end with an ellipsis. */
  line: 200,
  /** An item, and the title and the text of an entry. */
  entry: 90,
  entries: 20,
  /** All paragraphs of a text: the longest announcement. */
  text: 5_000,
  /** Further ones become lines of the last one, because the markup of a paragraph takes space too. */
  paragraphs: 40,
  /** An address. A longer one is shown without its link. */
  url: 300,
} as const;

const ELLIPSIS = '…';

/** Text of several lines without invisible characters. */
const visible = (text: string): string =>
  replaceInvisible(text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replaceAll('\t', ' '), '', '\n');

/** Cuts a text, never within a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - ELLIPSIS.length).replace(/[\ud800-\udbff]$/, '');
  return kept.trimEnd() + ELLIPSIS;
}

/** One line, which ends with an ellipsis where it was longer. */
export const oneLine = (text: string, length: number = MAIL_LIMITS.line): string =>
  cut(visible(text).replaceAll(/\s+/g, ' ').trim(), length);

/** Paragraphs are separated by empty lines. */
function paragraphsOf(text: string): string[] {
  const all = cut(visible(text).trim(), MAIL_LIMITS.text)
    .split(/\n[ \n]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  const whole = all.slice(0, MAIL_LIMITS.paragraphs - 1);
  const rest = all.slice(whole.length).join('\n\n');
  return rest === '' ? whole : [...whole, rest];
}

const linkOf = ({ label, url }: MailLink): MailLink => ({ label: oneLine(label), url });

function contentOf(block: MailBlock): MailBlock[] {
  if ('text' in block) return paragraphsOf(block.text).map((text) => ({ text }));
  if ('items' in block) {
    return [{ items: block.items.slice(0, MAIL_LIMITS.entries).map((item) => oneLine(item, MAIL_LIMITS.entry)) }];
  }
  if ('button' in block) {
    return [{ button: linkOf(block.button), ...(block.note === undefined ? {} : { note: oneLine(block.note) }) }];
  }
  if ('link' in block) return [{ link: linkOf(block.link) }];
  const entries = block.entries.slice(0, MAIL_LIMITS.entries).map(({ title, text, url }) => ({
    title: oneLine(title, MAIL_LIMITS.entry),
    text: oneLine(text, MAIL_LIMITS.entry),
    url,
  }));
  return [{ entries }];
}

/** The parts as both forms of the mail show them: visible characters within the limits, a block for each paragraph. */
export const mailContent = (parts: MailParts): MailParts => ({
  ...parts,
  site: { ...parts.site, name: oneLine(parts.site.name) },
  heading: oneLine(parts.heading),
  greeting: oneLine(parts.greeting),
  blocks: parts.blocks.flatMap(contentOf),
  reason: oneLine(parts.reason),
});

/** An address that a mail may link to. */
export function webAddress(url: string | null): string | undefined {
  const parsed = URL.parse(url ?? '');
  if (parsed === null || parsed.href.length > MAIL_LIMITS.url) return undefined;
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : undefined;
}
