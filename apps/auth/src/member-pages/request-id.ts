import { randomUUID } from 'node:crypto';
import { isUuid } from '@lyceum/contracts';
import { single } from '#src/edge/body.js';

/** The id of a form, by which it changes one thing although it is sent twice. A form without one gets a new id. */
export function requestIn(form: URLSearchParams): string {
  const id = single(form, 'request') ?? '';
  return isUuid(id) ? id : randomUUID();
}
