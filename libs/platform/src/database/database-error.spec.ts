import { ApiError } from '@lyceum/errors';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
} from 'typeorm';
import { databaseError, isDatabaseUnavailable } from './database-error.js';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('databaseError', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', '08006', '57P01', '57P03', '53300', '57014', '40001', '25006'])(
    'returns temporarily_unavailable with a time to retry for %s',
    (code) => {
      expect(databaseError(withCode(code))).toMatchObject({ code: 'temporarily_unavailable', retryAfter: 1 });
    },
  );

  it.each([
    'Query read timeout',
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Driver not Connected',
    'database "learner" is not currently accepting connections',
  ])('recognizes "%s"', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  it('recognizes TypeORM’s errors of a lost connection, and no other', () => {
    expect(isDatabaseUnavailable(new QueryRunnerAlreadyReleasedError())).toBe(true);
    expect(isDatabaseUnavailable(new QueryRunnerProviderAlreadyReleasedError())).toBe(true);
    expect(isDatabaseUnavailable(new TransactionNotStartedError())).toBe(false);
  });

  it('unwraps TypeORM’s errors, causes and AggregateErrors', () => {
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], withCode('57P01')))).toBe(true);
    expect(isDatabaseUnavailable(new Error('x', { cause: withCode('ECONNREFUSED') }))).toBe(true);
    expect(isDatabaseUnavailable(new AggregateError([withCode('x'), withCode('ECONNREFUSED')], 'x'))).toBe(true);
  });

  it.each(['23505', '23503', '42P01', '22P02', 'ERR_INVALID_ARG_TYPE'])('leaves %s alone', (code) => {
    expect(databaseError(withCode(code))).toBeUndefined();
    expect(databaseError(new QueryFailedError('SELECT 1', [], withCode(code)))).toBeUndefined();
  });

  it('ignores API errors and values that are not errors', () => {
    expect(databaseError(new ApiError('not_found', 'x', { cause: withCode('57P01') }))).toBeUndefined();
    expect(databaseError('ECONNREFUSED')).toBeUndefined();
  });

  it('terminates for a cyclic cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
