/** Controls, line breaks and invisible characters (Unicode Cc, Cf, Zl, Zp), by which one line would look like another. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** A scheme with slashes, or what mail programs turn into a link. */
const ADDRESS = /\p{L}[\p{L}\d+.-]*:\/\/|[\p{L}\d-]+\.\p{L}{2,}/u;
const LONGEST_NAME = 100;

/** One line of a mail, of text that came from elsewhere. */
export function mailLine(text: string): string {
  return text.replaceAll(UNSEEN, ' ').replaceAll(/\s+/gu, ' ').trim();
}

/** The first line of a mail. A name that could carry a message of its own is left out. */
export function greeting(name: string): string {
  const line = mailLine(name);
  return line === '' || line.length > LONGEST_NAME || ADDRESS.test(line) ? 'Hello,' : `Hello ${line},`;
}
