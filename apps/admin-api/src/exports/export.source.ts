import type { Caller, View } from '@lyceum/collections';
import type { ListQuery, Listing, Page } from '@lyceum/rest';
import type { z } from 'zod';
import type { ExportFilters } from './export.schema.js';

interface Listed extends Pick<Listing, 'filters' | 'ranges' | 'search'> {
  readonly filterSchemas: z.core.$ZodShape;
}

/** A collection that can be exported, with the fence and the view of its list. */
export interface Source {
  /** True when teachers cannot read the collection at all. */
  readonly forAdministrators?: boolean;
  readonly view: View;
  readonly resource: Listed;
  readonly list: (caller: Caller, query: ListQuery, filters: ExportFilters) => Promise<Page<object>>;
}
