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
  readonly scopes: readonly string[];
  /** Of the path and of the query. What headers ask for, tools have arguments for. */
  readonly parameters: readonly OperationParameter[];
  /** JSON Schema 2020-12 that stands by itself; null for an operation without a body. */
  readonly body_schema: Json | null;
}

export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string | null;
  readonly schema: Json;
}
