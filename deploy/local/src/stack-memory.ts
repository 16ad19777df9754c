import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AppliedSite } from './demo.js';

interface Facts {
  /** Database → what it was migrated with. */
  readonly migrated: Readonly<Record<string, string>>;
  /** The applied definition, and the output of auth. */
  readonly seeded?: { readonly key: string; readonly sites: readonly AppliedSite[] };
  /** The key of the seed whose sites were filled. */
  readonly filled?: string;
  /** The port that is part of the sites' origins. */
  readonly edgePort?: number;
}

/** The completed steps of a data directory, which a warm start skips. */
export class StackMemory {
  private facts: Facts;

  constructor(private readonly file: string) {
    this.facts = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Facts) : { migrated: {} };
  }

  get edgePort(): number | undefined {
    return this.facts.edgePort;
  }

  isMigrated(database: string, key: string): boolean {
    return this.facts.migrated[database] === key;
  }

  seeded(key: string): readonly AppliedSite[] | undefined {
    return this.facts.seeded?.key === key ? this.facts.seeded.sites : undefined;
  }

  rememberMigration(database: string, key: string): void {
    this.keep({ ...this.facts, migrated: { ...this.facts.migrated, [database]: key } });
  }

  rememberSeed(key: string, sites: readonly AppliedSite[]): void {
    this.keep({ ...this.facts, seeded: { key, sites } });
  }

  /** True when the sites of the last seed have their content. */
  get isFilled(): boolean {
    return this.facts.seeded !== undefined && this.facts.filled === this.facts.seeded.key;
  }

  rememberFilling(): void {
    const { seeded } = this.facts;
    if (seeded !== undefined) this.keep({ ...this.facts, filled: seeded.key });
  }

  rememberEdgePort(edgePort: number): void {
    if (this.facts.edgePort !== edgePort) this.keep({ ...this.facts, edgePort });
  }

  private keep(facts: Facts): void {
    this.facts = facts;
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    // Client secrets are among what auth answered.
    writeFileSync(`${this.file}.new`, JSON.stringify(facts, null, 2), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}
