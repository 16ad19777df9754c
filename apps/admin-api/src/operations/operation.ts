import type { Json } from '@lyceum/rest';

/** An operation of the REST API, as `/openapi.json` describes it. */
export interface ApiOperation {
  readonly operation_id: string;
  readonly summary: string;
  readonly description: string | null;
  /** Upper-case. */
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  /** Needed by every call. Empty when one of several scopes is enough: the guard of the route checks it. */
  readonly scopes: readonly string[];
  /** The scopes in words. */
  readonly scope: string;
  /** Parameters of the path and of the query. Tools have arguments in place of headers. */
  readonly parameters: readonly OperationParameter[];
}

export interface DescribedOperation extends ApiOperation {
  /** Self-contained JSON Schema 2020-12; null for an operation without a body. */
  readonly body_schema: Json | null;
  /** JSON text of an example call, in the layout of the argument `arguments_json`. */
  readonly example_arguments_json: string;
}

export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string | null;
  readonly schema: Json;
}
