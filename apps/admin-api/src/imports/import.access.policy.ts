import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import type { ImportMode } from '#src/import-rows/import-mode.js';
import type { Import } from './import.entity.js';
import { IMPORT_KINDS } from './import.kinds.js';

type Collection = Import['collection'];

/** Returns the collections whose imports the caller may neither read nor write. Jobs have no scopes, and see all. */
export function hiddenFrom({ scopes }: Pick<Caller, 'scopes'>): string[] {
  if (scopes === undefined) return [];
  const isVisible = (scope: string): boolean =>
    scopes.some((one) => one === scope || one === scope.replace(/:write$/, ':read'));
  return Object.entries(IMPORT_KINDS).flatMap(([collection, kind]) =>
    kind.scopes.every(isVisible) ? [] : [collection],
  );
}

/** @throws `insufficient_scope`, `forbidden` */
export function requireWriter(collection: Collection, caller: Pick<Caller, 'scopes' | 'roles'>): void {
  const missing = IMPORT_KINDS[collection].scopes.filter((scope) => caller.scopes?.includes(scope) === false);
  if (missing.length > 0) {
    const named = missing.length > 1 ? `scopes ${missing.join(' and ')}` : `scope ${missing[0]}`;
    throw new ApiError('insufficient_scope', `An import of ${collection} needs the ${named}`, { scopes: missing });
  }
  requireAdministrator(caller, `import ${collection}`);
}

interface Options {
  readonly collection: Collection;
  readonly mode: ImportMode;
  readonly course_id: string | null;
  readonly plan_id: string | null;
  readonly send_welcome_email: boolean;
}

/** @throws `validation_failed` for a mode by a member that the collection lacks, and for options of students */
export function requireOptions({ collection, mode, course_id, plan_id, send_welcome_email }: Options): void {
  const { modes, enrolls } = IMPORT_KINDS[collection];
  const errors: FieldError[] = [];
  if (!modes.includes(mode)) {
    errors.push({ pointer: '/mode', code: 'invalid_value', detail: `Modes of ${collection}: ${modes.join(', ')}` });
  }
  const options = { course_id, plan_id, send_welcome_email };
  for (const [name, value] of Object.entries(options)) {
    if (enrolls || value === null || value === false) continue;
    errors.push({ pointer: `/${name}`, code: 'invalid_value', detail: 'Only an import of students has it' });
  }
  if (errors.length > 0) throw new ApiError('validation_failed', 'The import is not acceptable', { errors });
}
