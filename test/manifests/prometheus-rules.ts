/** The rules of deploy/prometheus. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

const FOLDER = join(import.meta.dirname, '../../deploy/prometheus');

export const RULE_FILES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => join(FOLDER, file));

export const ruleGroups = (): RuleGroup[] =>
  RULE_FILES.flatMap((file) => (parse(readFileSync(file, 'utf8')) as { groups: RuleGroup[] }).groups);
