import { unwrapResolverError } from '@apollo/server/errors';
import { Injectable, Logger } from '@nestjs/common';
import type { ApiError } from '@lyceum/errors';
import { currentRequest, errorMessage, toApiError } from '@lyceum/platform';
import type { RequestContext } from '@lyceum/platform';
import type { GraphQLFormattedError } from 'graphql';
import { UNEXPECTED_ERROR, showCode, showError } from './graphql-errors.policy.js';
import type { Shown } from './graphql-errors.policy.js';

/** Formats the errors of a response. Errors of the caller are sent; unexpected errors are logged and masked. */
@Injectable()
export class ErrorFormatter {
  readonly #logger = new Logger(ErrorFormatter.name);
  readonly #logged = new WeakSet<RequestContext>();

  format({ message, extensions, locations, path }: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const shown = this.#apiError(error) ?? showCode(message, extensions) ?? this.#unexpected(error);
    return {
      message: shown.message,
      ...(locations === undefined ? {} : { locations }),
      ...(path === undefined ? {} : { path }),
      extensions: {
        code: shown.code,
        requestId: currentRequest()?.requestId,
        ...(shown.errors === undefined ? {} : { errors: shown.errors }),
        ...(shown.hint === undefined ? {} : { hint: shown.hint }),
      },
    };
  }

  #apiError(error: unknown): Shown | undefined {
    const apiError = toApiError(unwrapResolverError(error));
    if (apiError === undefined || apiError.code === 'internal') return undefined;
    if (apiError.code === 'temporarily_unavailable') this.#logOnce(apiError);
    return showError(apiError);
  }

  /** Logs once per request, because several fields may fail for the same outage. */
  #logOnce({ message, cause }: ApiError): void {
    const request = currentRequest();
    if (request !== undefined && this.#logged.has(request)) return;
    if (request !== undefined) this.#logged.add(request);
    this.#logger.warn({ msg: message, ...(cause === undefined ? {} : { reason: errorMessage(cause) }) });
  }

  #unexpected(error: unknown): Shown {
    this.#logger.error(unwrapResolverError(error));
    return { message: UNEXPECTED_ERROR, code: 'INTERNAL' };
  }
}
