import {
  BadRequestException,
  ConflictException,
  GoneException,
  HttpException,
  ImATeapotException,
  InternalServerErrorException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { toApiError } from './http-error.js';

const framework = (code: string, statusCode: number, message = 'says too much') =>
  Object.assign(new Error(message), { code, statusCode });

describe('toApiError', () => {
  it('leaves an outcome as it is', () => {
    const apiError = new ApiError('already_exists', 'A course has this slug.');
    expect(toApiError(apiError)).toBe(apiError);
  });

  it.each([
    [new BadRequestException('words'), 'invalid_request', 'words'],
    [new BadRequestException(['one', 'two']), 'invalid_request', 'one; two'],
    [new BadRequestException('words', { cause: new Error('why') }), 'invalid_request', 'words'],
    [new ConflictException('words'), 'invalid_state', 'words'],
    [new ServiceUnavailableException('words'), 'temporarily_unavailable', 'words'],
    [new HttpException('words', 421), 'unknown_host', 'words'],
    [new GoneException('words'), 'invalid_request', 'words'],
    [new ImATeapotException('words'), 'invalid_request', 'words'],
  ])('reads %s', (exception, code, words) => {
    expect(toApiError(exception)).toMatchObject({ code, message: words });
  });

  it.each([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 'payload_too_large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 'unsupported_media_type'],
    ['FST_ERR_CTP_INVALID_JSON_BODY', 400, 'invalid_request'],
    ['FST_ERR_MAX_PARAM_LENGTH', 414, 'invalid_request'],
    ['FST_ERR_NEVER_HEARD_OF', 400, 'invalid_request'],
  ])('reads %s of Fastify, bare or wrapped by Nest, in words of our own', (name, status, code) => {
    const error = framework(name, status);
    for (const given of [error, new HttpException(error.message, status, { cause: error })]) {
      const apiError = toApiError(given);
      expect(apiError?.code).toBe(code);
      expect(apiError?.message).not.toContain('too much');
    }
  });

  it.each([
    ['an error', new Error('x')],
    ['an internal error of Nest', new InternalServerErrorException('x')],
    ['an internal error of Fastify', framework('FST_ERR_REP_INVALID_PAYLOAD_TYPE', 500)],
    ['a string', 'x'],
    ['nothing', undefined],
    ['an error that only looks like a status', Object.assign(new Error('x'), { statusCode: 404 })],
  ])('knows %s as a fault', (_case, error) => {
    expect(toApiError(error)).toBeUndefined();
  });

  it('reads an unreachable database', () => {
    expect(toApiError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))?.code).toBe('temporarily_unavailable');
  });
});
