export { activitySentence } from './activity-sentence.js';
export { LANGUAGES, chooseLanguage, requestedBy, requestedTags, supportedLanguages } from './languages.policy.js';
export type { Language } from './languages.policy.js';
export { phrase, readerLanguage, say, textIn } from './messages.js';
export { dayOf, distance, instant, listOf, readerTimeZone } from './formats.js';
export { catalogs } from './catalogs.js';
