import type { z } from 'zod';

/**
 * Returns the schema of the body of `PUT …/by_external_id/{external_id}`: the one of a creation without the key, which
 * the path has. @param name the OpenAPI component of the object, such as `Course`
 */
export function upsertBody(name: string, create: z.ZodObject): z.ZodObject {
  const [example = {}] = (create.meta()?.examples ?? []) as object[];
  const { external_id: _key, ...fields } = example as { readonly external_id?: unknown };
  return create.omit({ external_id: true }).meta({ id: `${name}Put`, examples: [fields] });
}
