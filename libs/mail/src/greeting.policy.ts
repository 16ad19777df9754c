/** Controls, line breaks and invisible characters (Unicode Cc, Cf, Zl, Zp), by which one line would look like another. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** What mail programs turn into a link: a scheme, or a host name. */
const LINK = /:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u;

/** Characters. */
const LONGEST_NAME = 100;

/** One line of a mail, from text that other people wrote. */
export function mailLine(text: string): string {
  return text.replaceAll(UNSEEN, ' ').replaceAll(/\s+/gu, ' ').trim();
}

/**
 * The first line of a mail. A name comes from other people, so one that could write the rest of the mail, or put a link
 * into it, is left out.
 */
export function greeting(name: string): string {
  const isPlain = name !== '' && name.length <= LONGEST_NAME && mailLine(name) === name && !LINK.test(name);
  return isPlain ? `Hello ${name},` : 'Hello,';
}
