import { SiteRow } from '@lyceum/collections';
import type { UrlPart } from './object-url.js';

/** A row of an object that has a page on the web site of the school. */
export abstract class LinkedRow extends SiteRow {
  /** Computed: see `url_part` in object-url.ts. */
  url_part!: UrlPart | null;
}
