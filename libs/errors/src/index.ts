export { OUTCOME_CODES, Outcome, isOutcomeCode } from './outcome.js';
export type { FieldError, OutcomeCode, OutcomeOptions } from './outcome.js';
export { PROBLEMS, PROBLEM_MEDIA_TYPE, toProblem } from './problem.js';
export type { Problem } from './problem.js';
