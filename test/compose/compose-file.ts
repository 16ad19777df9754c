import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(__dirname, '../..');

/** The members of a container that the tests read. */
export interface Container {
  readonly image: string;
  readonly build?: { readonly dockerfile: string; readonly args?: { readonly APP: string } };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: object;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** `docker/compose.yaml` with its anchors resolved, and the given variables in place of `${NAME:-default}`. */
export function composeFile(variables: Readonly<Record<string, string>> = {}): ComposeFile {
  const text = readFileSync(join(ROOT, 'docker/compose.yaml'), 'utf8').replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_whole, name: string, fallback: string) => variables[name] ?? fallback,
  );
  return parse(text, { merge: true }) as ComposeFile;
}
