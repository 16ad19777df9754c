import type { Caller } from '@lyceum/collections';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { Export } from './export.entity.js';

export type ExportRequest = Pick<Export, 'collection' | 'filters'>;
export type ExportWork = ExportRequest & Pick<Export, 'created_at' | 'format'>;

/** Facts of an export that the time of its request decides. */
export interface AtRequest {
  /** All filters, with their defaults of that time. */
  readonly filters?: Export['filters'];
  /** Columns of a CSV file in place of those of the source. */
  readonly columns?: string[];
}

export interface ExportedRows {
  readonly rows: readonly object[];
  /** Makes the object of a row. The reader calls it row by row, so it holds one object at a time. */
  readonly show: (row: object) => object;
  /** The rows as text, where PostgreSQL has written them. */
  readonly lines?: readonly string[];
  /** Position of the next rows. Null: these are the last ones. */
  readonly next: string | null;
}

/** A collection that can be exported, with the fence of its reads. */
export interface Source {
  /** True when teachers cannot read the collection at all. */
  readonly forAdministrators?: boolean;
  /** Columns of a CSV file: the members of an object. */
  readonly columns: readonly string[];
  /** The filters that the collection has, by name, with a narrower schema where they need one. */
  readonly filters: Readonly<Record<string, z.ZodType | undefined>>;
  /** @throws `validation_failed` for filters that do not fit together, or lack one */
  readonly atRequest?: (caller: Caller, request: ExportRequest, tx: EntityManager) => Promise<AtRequest>;
  /** Reads the next rows after a position: `limit` at most where PostgreSQL writes them. */
  readonly read: (caller: Caller, work: ExportWork, cursor: string | undefined, limit: number) => Promise<ExportedRows>;
}
