import type { ApiOperation } from './operation.js';
import { expandedWords, withoutPhrases } from './operation.synonyms.js';

/** An operation with its rank. */
export interface Ranked {
  readonly operation: ApiOperation;
  /** Fixed length, so that text order puts the best first and equals by id. */
  readonly rank: string;
}

const MOST = 9_999;

/** A synonym counts less than the word itself. */
const OWN = 4;
const SYNONYM = 3;

/**
 * Operations with at least one of the words or their synonyms, ranked by number and place of matches; without words
 * all, by id.
 */
export function rankOperations(operations: readonly ApiOperation[], q: string | undefined): Ranked[] {
  const words = q === undefined ? [] : expandedWords(wordsOf(withoutPhrases(q)));
  return operations
    .flatMap((operation) => {
      const score = words.reduce((sum, forms) => sum + bestOf(operation, forms), 0);
      if (score === 0 && q !== undefined) return [];
      return [{ operation, rank: String(MOST - Math.min(MOST, score)).padStart(4, '0') }];
    })
    .sort((a, b) => compare(a.rank, b.rank) || compare(a.operation.operation_id, b.operation.operation_id));
}

function bestOf(operation: ApiOperation, [word = '', ...synonyms]: readonly string[]): number {
  return Math.max(OWN * scoreOf(operation, word), ...synonyms.map((synonym) => SYNONYM * scoreOf(operation, synonym)));
}

/** Weights of a word by its place: as a whole word, and at the beginning of one. */
const WEIGHTS = { operation_id: [16, 8], summary: [10, 5], path: [3, 3], description: [1, 1] } as const;
const PLACES = Object.entries(WEIGHTS) as [keyof typeof WEIGHTS, readonly [whole: number, beginning: number]][];

/** A singular begins its plural, so it finds an operation on one object before that on many. */
function scoreOf(operation: ApiOperation, word: string): number {
  return PLACES.reduce((score, [place, [whole, beginning]]) => {
    const found = wordsOf(operation[place] ?? '').filter((one) => one.startsWith(word));
    if (found.length === 0) return score;
    return score + (found.includes(word) ? whole : beginning);
  }, 0);
}

/** `listCourses` is "list" and "courses"; a singular finds its plural, which begins with it. */
function wordsOf(text: string): string[] {
  const parts = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return parts.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
