import { isSharedIdPattern } from '@lyceum/contracts';
import type { Json } from '@lyceum/rest';
import type { ApiOperation, OperationParameter } from './operation.js';

const ID = '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90';

/** The arguments of an example call as JSON text, in the layout that `arguments_json` has. */
export function exampleArguments(document: Json, { parameters }: ApiOperation, written: Json): string {
  const needed = parameters.filter(({ required }) => required);
  const body = exampleBody(document, written);
  return JSON.stringify({
    ...placed('path', needed),
    ...placed('query', needed),
    ...(body === undefined ? {} : { body }),
  });
}

function placed(place: OperationParameter['in'], parameters: readonly OperationParameter[]): Json {
  const values = parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, sampleOf(name, schema)]);
  return values.length === 0 ? {} : { [place]: Object.fromEntries(values) as Json };
}

function sampleOf(name: string, { format, pattern, enum: words }: Json): unknown {
  if (Array.isArray(words)) return words[0];
  return format === 'uuid' || isSharedIdPattern(pattern) ? ID : `a ${name.replaceAll('_', ' ')}`;
}

/** The first example of the document. */
function exampleBody(document: Json, { requestBody }: Json): unknown {
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { examples?: Record<string, Json> }> };
  const [media] = Object.values(content);
  const [example] = Object.values(media?.examples ?? {});
  return example === undefined ? undefined : resolved(document, example)['value'];
}

function resolved(document: Json, example: Json): Json {
  const { $ref: reference } = example;
  if (typeof reference !== 'string') return example;
  const { examples } = document['components'] as { examples: Record<string, Json> };
  return examples[reference.split('/').at(-1) ?? ''] ?? {};
}
