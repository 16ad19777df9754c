import type { FormattedExecutionResult } from 'graphql';

/** The `data` of an answer as PostgreSQL wrote it. It is put into the answer as it stands, never parsed here. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Apollo's `stringifyResult`. */
export function stringifyResult(result: FormattedExecutionResult): string {
  const data: unknown = result.data;
  if (!(data instanceof RawJson)) return JSON.stringify(result);
  const extensions = result.extensions === undefined ? '' : `,"extensions":${JSON.stringify(result.extensions)}`;
  return `{"data":${data.text}${extensions}}`;
}
