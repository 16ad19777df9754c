import { toolDescriptionSchema } from '@lyceum/contracts';
import type { ScopesByArgument, ToolDescription } from '@lyceum/contracts';
import { z } from 'zod';
import { ToolDeclarationError, describeCapability, finishEntry } from './capability-description.js';
import type { ArgumentScopes, ToolDeclaration } from './tool.decorator.js';

/** The parts of an entry that take the most time to make. */
export type ToolSchemas = Pick<ToolDescription, 'inputSchema' | 'outputSchema'>;

/**
 * The entry of the catalog. JSON Schemas are generated here once, not per request.
 * @param made the schemas, if the build has made them already
 */
export function describeTool(declaration: ToolDeclaration, instance?: object, made?: ToolSchemas): ToolDescription {
  const { name, annotations } = declaration;
  const scopesByArgument = scopesByValue(declaration.scopesByArgument, instance);
  const fault = faultOf(declaration, scopesByArgument);
  if (fault !== undefined) throw new ToolDeclarationError('tool', name, fault);
  return finishEntry('tool', name, toolDescriptionSchema, {
    ...describeCapability('tool', declaration, Object.values(scopesByArgument?.scopes ?? {}).flat()),
    ...(scopesByArgument === undefined ? {} : { scopesByArgument }),
    core: declaration.core ?? false,
    ...schemasOf(declaration, made),
    annotations: {
      readOnlyHint: annotations.readOnlyHint,
      destructiveHint: annotations.destructiveHint ?? !annotations.readOnlyHint,
      idempotentHint: annotations.idempotentHint ?? annotations.readOnlyHint,
      openWorldHint: annotations.openWorldHint ?? false,
    },
  });
}

function schemasOf(declaration: ToolDeclaration, made: ToolSchemas | undefined): object {
  if (made !== undefined) {
    const { inputSchema, outputSchema } = made;
    return { inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) };
  }
  const { name, input, output } = declaration;
  return {
    inputSchema: jsonSchema(name, input.strict(), 'input'),
    ...(output === 'content' ? {} : { outputSchema: jsonSchema(name, output, 'output') }),
  };
}

function scopesByValue(
  declared: ArgumentScopes | undefined,
  instance: object | undefined,
): ScopesByArgument | undefined {
  if (declared === undefined) return undefined;
  const { argument, scopes, hint } = declared;
  const named = typeof scopes === 'function' ? scopes(instance as never) : scopes;
  return {
    argument,
    hint,
    scopes: Object.fromEntries(Object.entries(named).map(([value, needed]) => [value, [...needed]])),
  };
}

function faultOf(declaration: ToolDeclaration, more: ScopesByArgument | undefined): string | undefined {
  const { annotations } = declaration;
  if (annotations.readOnlyHint && annotations.destructiveHint === true) return 'reading is not destructive';
  if (more !== undefined && !(more.argument in declaration.input.shape)) return `it has no argument "${more.argument}"`;
  if (more !== undefined && Object.keys(more.scopes).length === 0) return `no value of "${more.argument}" is allowed`;
  return undefined;
}

/**
 * Shortens schemas, which models read for all listed tools: patterns of instants and ids were a third of them. A member
 * with a `format` needs no `pattern`, and the bounds of every integer say nothing.
 */
function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/**
 * A result may get members and values of enums at any time (docs/compatibility.md), and clients validate it with the
 * schema of an earlier list. So the schema allows unknown members, and shows the values of an enum as examples.
 */
function open(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.enum === undefined) return;
  schema.examples = schema.enum;
  delete schema.enum;
}

function jsonSchema(name: string, schema: z.ZodObject, io: 'input' | 'output'): unknown {
  const override = ({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
    shorten(jsonSchema);
    if (io === 'output') open(jsonSchema);
  };
  try {
    return z.toJSONSchema(schema, { target: 'draft-2020-12', io, override });
  } catch (cause) {
    throw new ToolDeclarationError('tool', name, `its ${io} cannot be written as JSON Schema`, cause);
  }
}
