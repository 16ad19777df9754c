/** The different words of a search. */
export function wordsOf(q: string): readonly string[] {
  return [...new Set(q.split(/\s+/u).filter((word) => word !== ''))];
}

/** The pattern of texts that have the word in them. `%` and `_` stand for themselves. */
export function likePattern(word: string): string {
  return `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
