import { single } from '#src/edge/body.js';
import type { ApplicationFields } from './application.policy.js';

/** The addresses of a text field, one a line, each once. */
const uris = (text: string | undefined): string[] => [
  ...new Set((text ?? '').split(/\s+/).filter((uri) => uri !== '')),
];

/** The fields of an application in a form. */
export function applicationFields(form: URLSearchParams): ApplicationFields {
  return {
    name: (single(form, 'name') ?? '').trim(),
    redirect_uris: uris(single(form, 'redirect_uris')),
    scopes: form.getAll('scope'),
    post_logout_redirect_uris: uris(single(form, 'post_logout_redirect_uris')),
    compatibility_mode: single(form, 'compatibility_mode') === 'yes',
  };
}
