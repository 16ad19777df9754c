import type { Sources } from '#src/selection/sources.js';

/** What every field beneath `viewer` is in SQL; the module puts it together from the repositories of the features. */
export class SourceCatalogue {
  constructor(readonly sources: Sources) {}
}
