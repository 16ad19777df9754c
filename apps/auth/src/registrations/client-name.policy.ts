import unhomoglyph from 'unhomoglyph';

/** Removes invisible characters, and normalizes compatibility forms and runs of spaces. */
const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Full case folding: `ß` equals `SS`. */
const folded = (name: string): string => name.toUpperCase().toLowerCase();

/** UTS 39 §4: equal for names that look alike. */
const skeleton = (name: string): string => unhomoglyph(name.normalize('NFD')).normalize('NFD');

/**
 * Folded before and after: `CIaude` with a capital I looks like the name only as written, `CLAUDE` only when folded.
 */
function looks(name: string): readonly [string, string] {
  const text = plain(name);
  return [skeleton(folded(text)), folded(skeleton(text))];
}

/** The name without punctuation, symbols and spaces. A name of nothing else stays. Marks belong to their letters. */
const letters = (name: string): string => name.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '') || name;

/**
 * True when two names look the same to a person, who overlooks punctuation and spaces. A name that only contains the
 * other is another one.
 */
export function looksLike(one: string, other: string): boolean {
  const [a, b] = [looks(one).map(letters), looks(other).map(letters)];
  return a[0] === b[0] || a[1] === b[1];
}

const isWordIn = (text: string, word: string): boolean =>
  ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${word.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `);

/** The known names that a name contains as words, in any look-alike writing. */
export function namesIn(name: string, known: readonly string[]): string[] {
  const shown = looks(name);
  return known.filter((one) => looks(one).some((word, index) => word !== '' && isWordIn(shown[index] ?? '', word)));
}
