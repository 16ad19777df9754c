import type { FactoryProvider } from '@nestjs/common';
import type { RowWriter } from '#src/import-rows/row-writer.js';
import type { Import } from './import.entity.js';
import { IMPORT_KINDS } from './import.kinds.js';

/** The writers of all kinds. */
export class RowWriters {
  constructor(private readonly writers: readonly RowWriter[]) {}

  of(collection: Import['collection']): RowWriter {
    const writer = this.writers.find((one) => one instanceof IMPORT_KINDS[collection].writer);
    if (writer === undefined) throw new Error(`Rows of ${collection} have no writer`);
    return writer;
  }
}

export const WRITERS = Object.values(IMPORT_KINDS).map(({ writer }) => writer);

export const ROW_WRITERS: FactoryProvider<RowWriters> = {
  provide: RowWriters,
  inject: WRITERS,
  useFactory: (...writers: readonly RowWriter[]) => new RowWriters(writers),
};
