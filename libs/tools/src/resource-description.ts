import { resourceDescriptionSchema } from '@lyceum/contracts';
import type { ResourceDescription } from '@lyceum/contracts';
import { ToolDeclarationError, describeCapability, finishEntry } from './capability-description.js';
import type { ResourceDeclaration } from './resource.decorator.js';

export function describeResource(declaration: ResourceDeclaration, completes: readonly string[]): ResourceDescription {
  const { name, uri, input, output, mimeType } = declaration;
  const form = typeof output === 'string' ? output : 'json';
  if ((form === 'json') !== (mimeType === undefined)) {
    throw new ToolDeclarationError('resource', name, 'a text or blob has a media type, and JSON is its own');
  }
  const variables = [...uri.matchAll(/\{([a-z_]+)\}/g)].map(([, variable]) => variable ?? '');
  const taken = Object.keys(input.shape);
  if (variables.toSorted().join() !== taken.toSorted().join()) {
    throw new ToolDeclarationError('resource', name, 'its input is not the variables of its URI');
  }
  return finishEntry('resource', name, resourceDescriptionSchema, {
    ...describeCapability('resource', declaration),
    uri,
    mimeType: mimeType ?? 'application/json',
    ...(form === 'json' ? {} : { form }),
    completes: checked('resource', name, completes, variables),
  });
}

/** Throws for a completion of an unknown argument. */
export function checked(
  kind: string,
  name: string,
  completes: readonly string[],
  known: readonly string[],
): readonly string[] {
  const unknown = completes.find((argument) => !known.includes(argument));
  if (unknown !== undefined) throw new ToolDeclarationError(kind, name, `it has no "${unknown}" to complete`);
  return completes.toSorted();
}
