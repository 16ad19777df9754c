import { SiteRow } from '@lyceum/collections';

/** SQL of `revision`. `links` counts the versions that a link to a person made: they are no edits. */
export const REVISION = 'version - links';

/** A row whose events name the person of its student. */
export abstract class RowOfStudent extends SiteRow {
  /** Computed: the part of the version that grows with edits alone, for the entity tag. `keepsTag` needs a column. */
  revision!: number;
  /** Computed: the person of the student. */
  person_id!: string | null;
}
