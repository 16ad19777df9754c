/** Scripts whose words need joiners (RFC 5892 appendices A.1 and A.2). */
const SCRIPTS =
  'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar Nko Oriya Sinhala Syriac Tamil Telugu';
const LETTERS = SCRIPTS.replaceAll(/\w+ ?/g, (script) => String.raw`\p{Script=${script.trim()}}`);

/** A character of such a script, or of an emoji of several parts. */
const JOINABLE = String.raw`[${LETTERS}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]`;

/** U+200C and U+200D where they join two such characters. */
const JOINER = String.raw`(?<=${JOINABLE})[\u200c\u200d](?=${JOINABLE})`;

/** One character without a shape (Unicode Cc, Cf, Zl, Zp): it reverses, hides or breaks a line. */
const INVISIBLE = new RegExp(String.raw`[\p{Cc}\p{Zl}\p{Zp}]|(?!${JOINER})\p{Cf}`, 'gu');

/** True for one line in which each character is visible, apart from joiners that a script or an emoji needs. */
export const isVisibleLine = (text: string): boolean => text.search(INVISIBLE) === -1;

/** Replaces invisible characters. Those of `kept`, such as line breaks, stay. */
export const replaceInvisible = (text: string, replacement: string, kept = ''): string =>
  text.replaceAll(INVISIBLE, (character) => (kept.includes(character) ? character : replacement));
