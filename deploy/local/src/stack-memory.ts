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
  /** The day on which the demo was made, and the databases that have it. */
  readonly made?: { readonly day: string; readonly databases: string };
}

/** The day of a demo whose memory has none. Such a demo is not changed. */
const FORMER_DAY = '2026-10-08';

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

  /** The day on which the demo of the databases was made; `today` for a demo that is made now. */
  demoDay(databases: string, today: string): string {
    const { made, seeded } = this.facts;
    if (made?.databases === databases) return made.day;
    if (made === undefined && seeded !== undefined) return FORMER_DAY;
    this.keep({ ...this.facts, made: { day: today, databases } });
    return today;
  }

  /** True when the sites of the last seed have their content. */
  get isFilled(): boolean {
    const { seeded, filled, made } = this.facts;
    return seeded !== undefined && filled !== undefined && (filled === seeded.key || made === undefined);
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
