import type { Scope } from '@lyceum/contracts';
import type { Type } from '@nestjs/common';
import { z } from 'zod';
import { modesFor } from '#src/import-rows/import-mode.js';
import type { ImportKeys, ImportMode } from '#src/import-rows/import-mode.js';
import type { RowWriter } from '#src/import-rows/row-writer.js';

interface KindDeclaration {
  readonly resource: { readonly one: string; readonly object: z.ZodObject };
  /** Members that a row may name, as a creation has them. Their schemas say how a cell of CSV is read. */
  readonly rows: z.ZodObject;
  readonly keys: ImportKeys;
  /** Scopes beside that of imports, each to write. */
  readonly scopes?: readonly Scope[];
  /** Whether the import enrolls the objects in a course and sends them mails. */
  readonly enrolls?: boolean;
  readonly writer: Type<RowWriter>;
}

/** The objects of a collection, as files have them. */
export interface ImportKind extends Omit<KindDeclaration, 'resource'> {
  readonly one: string;
  readonly scopes: readonly Scope[];
  readonly enrolls: boolean;
  readonly modes: readonly ImportMode[];
  /** Members that an export has and only the service sets. An import ignores them. */
  readonly ignored: ReadonlySet<string>;
}

export function importKind({ resource, ...kind }: KindDeclaration): ImportKind {
  const { one, object } = resource;
  const ignored = new Set(Object.keys(object.shape).filter((member) => !(member in kind.rows.shape)));
  return { enrolls: false, scopes: [], ...kind, one, ignored, modes: modesFor(kind.keys) };
}

/** A cell without a value in its row: the text, a number, a word of a list … */
export type CellType = 'text' | 'number' | 'boolean' | 'list' | 'json';

/** How a cell of a member is read. A list has words between semicolons. */
export function cellTypeOf({ rows }: Pick<ImportKind, 'rows'>, member: string): CellType {
  const schema = bare(rows.shape[member]);
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodArray) return bare(schema.element) instanceof z.ZodString ? 'list' : 'json';
  return schema instanceof z.ZodRecord || schema instanceof z.ZodObject ? 'json' : 'text';
}

function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  const wrapped =
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodDefault;
  return wrapped ? bare(schema.unwrap()) : schema;
}
