/** The different words of a search. */
export function wordsOf(q: string): readonly string[] {
  return [...new Set(q.split(/\s+/u).filter((word) => word !== ''))];
}

const lower = (sql: string): string => `lower(${sql} collate "pg_c_utf8")`;

/**
 * SQL condition: the text contains the word, in any case. The first part finds rows by the index, and some others: the
 * digits of a word can begin in the middle of a byte (ADR 204).
 */
export function containsWord(text: string, word: string): string {
  return `search_key(${text}) ~ search_pattern(${word}) and strpos(${lower(text)}, ${lower(word)}) > 0`;
}
