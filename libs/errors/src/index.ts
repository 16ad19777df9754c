export { FIELD_PROBLEMS, PROBLEMS } from './catalog.js';
export type { CodeEntry } from './catalog.js';
export { ERROR_CODES, FIELD_CODES, OUTCOME_CODES, graphqlCode, isOutcomeCode } from './codes.js';
export type { ErrorCode, FieldCode, FieldErrorCode, GraphqlCode, OutcomeCode } from './codes.js';
export type { FieldError } from './field-error.js';
export { Outcome } from './outcome.js';
export type { OutcomeOptions } from './outcome.js';
export { ERROR_PAGES, PROBLEM_MEDIA_TYPE, toProblem } from './problem.js';
export type { Problem } from './problem.js';
