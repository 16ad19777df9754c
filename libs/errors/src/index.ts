export { FIELD_PROBLEMS, PROBLEMS } from './catalog.js';
export type { CodeEntry } from './catalog.js';
export { ERROR_CODES, FIELD_CODES, API_ERROR_CODES, graphqlCode, isApiErrorCode } from './codes.js';
export type { ErrorCode, FieldCode, FieldErrorCode, GraphqlCode, ApiErrorCode } from './codes.js';
export { summaryOf } from './field-error.js';
export type { FieldError } from './field-error.js';
export { ApiError, errorOr, valuesOf } from './api-error.js';
export { ERROR_PAGES, PROBLEM_MEDIA_TYPE, toProblem } from './problem.js';
export type { Problem } from './problem.js';
