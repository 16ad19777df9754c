/** Words of people for acts and objects, beside those of the API. The words of a group find the same operations. */
const GROUPS: readonly (readonly string[])[] = [
  ['enroll', 'enrol', 'register', 'signup'],
  ['unenroll', 'revoke', 'withdraw'],
  ['remove', 'delete', 'revoke', 'erase'],
  ['create', 'add', 'make', 'new'],
  ['update', 'change', 'edit', 'modify', 'rename', 'set'],
  ['list', 'find', 'search', 'show'],
  ['get', 'read', 'show', 'view'],
  ['publish', 'release', 'launch'],
  ['unpublish', 'hide', 'withdraw'],
  ['lecture', 'lesson', 'unit'],
  ['section', 'chapter', 'module'],
  ['course', 'class', 'training'],
  ['student', 'learner', 'pupil', 'user', 'customer'],
  ['member', 'user', 'staff', 'account'],
  ['lecturer', 'teacher', 'instructor', 'tutor', 'trainer'],
  ['plan', 'price', 'offer'],
  ['coupon', 'discount', 'voucher', 'promotion'],
  ['post', 'article', 'blog'],
  ['order', 'purchase', 'sale', 'invoice'],
  ['event', 'webinar', 'workshop'],
  ['bulk', 'many', 'several', 'batch'],
  ['analytics', 'statistics', 'report', 'revenue'],
  ['image', 'picture', 'photo'],
];

/** Two words for one act. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bsign(?:ing)? up\b/g, 'enroll'],
  [/\bget rid of\b/g, 'delete'],
];

/** Words without a meaning for the search. */
const IGNORED: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'to', 'for', 'in', 'from', 'with', 'my', 'and']);

/** The words of a query in lower case, each with its synonyms. A query of ignored words alone keeps them. */
export function expandedWords(words: readonly string[]): readonly (readonly string[])[] {
  const telling = words.filter((word) => !IGNORED.has(word));
  return (telling.length === 0 ? words : telling).map((word) => [word, ...synonymsOf(word)]);
}

export function withoutPhrases(text: string): string {
  return PHRASES.reduce((rest, [phrase, word]) => rest.replaceAll(phrase, word), text.toLowerCase());
}

/** A plural has the synonyms of its singular. */
function synonymsOf(word: string): string[] {
  const forms = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  const groups = GROUPS.filter((group) => group.some((one) => forms.includes(one)));
  return [...new Set(groups.flat())].filter((one) => !forms.includes(one));
}
